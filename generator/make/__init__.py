"""Which files a computation becomes, rendered on several processors and written all at once."""

from generator.make.files import MakeResult, exact_of, make, usual_outputs
from generator.make.request import FOLDERS, Request

__all__ = ["FOLDERS", "MakeResult", "Request", "exact_of", "make", "usual_outputs"]
