"""How a teacher's papers call a step: by its title, with its task, its round or its head."""

import re

from generator.engine.predict import temperature_of
from generator.notation.numbers import number
from generator.text.catalogue import Catalogue, step_place

ROUND = re.compile(r"(?:.*\.)?(task|draw|merge)([0-9]+)\..+")
SECOND = re.compile(r"(?:.*\.)?(?:mean|variance|deviation)2|norm2\..+")
DIGITS = "0123456789"


def title(catalogue: Catalogue, name: str) -> str:
    """The title of a step, also of one that only a sheet has, with its task or its round."""
    rest, last = step_place(name)[2], name.rpartition(".")[2].rstrip(DIGITS)
    own = (f"class.check.step.{rest}", f"class.check.step.{last}")
    keys = (f"step.{rest}", *own, f"step.{last}")
    found = next(catalogue.phrases[key] for key in keys if key in catalogue.phrases)
    if not (place := ROUND.fullmatch(name)):
        return found
    kind = "task" if place[1] == "task" else "round"
    return catalogue.t(f"class.check.{kind}", number=place[2], title=found)


def placed(catalogue: Catalogue, name: str) -> str:
    """The title of a step with its head or norm, so that a sheet has it once."""
    head, found = step_place(name)[1], title(catalogue, name)
    if SECOND.fullmatch(name):
        return catalogue.t("class.key.second", title=found)
    return found if head is None else f"{catalogue.t('workbook.tab.head', head=head)}: {found}"


def row_label(catalogue: Catalogue, label: str) -> str:
    """A row's label as it is read: "T = 0,5" for the row of a temperature, others as they are."""
    t = temperature_of(label)
    if t is None:
        return label
    return catalogue.t("sheet.heat", t=number(t, None, catalogue.language))
