"""Which files a computation becomes, rendered on several processors and written all at once."""

from generator.make.choice import unfit, usual_outputs
from generator.make.files import MakeResult, Rendered, exact_of, make, rendered
from generator.make.request import FOLDERS, Request

__all__ = [
    "FOLDERS",
    "MakeResult",
    "Rendered",
    "Request",
    "exact_of",
    "make",
    "rendered",
    "unfit",
    "usual_outputs",
]
