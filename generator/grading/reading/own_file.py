"""A file that carries its owner's mark, as it came back: what all kinds of them have in common."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

from generator.grading.marking.task import Batch
from generator.grading.reading.entries import Entries, Source
from generator.grading.reading.raw import NotOurs, Raw, Reason
from generator.render.owner import FORMAT, Owner


@dataclass(frozen=True)
class OwnFile(ABC):
    """What a file holds, its name as the teacher sees it, and the batch that it should be of."""

    raw: Raw
    file: str
    batch: Batch

    @cached_property
    @abstractmethod
    def owner(self) -> Owner:
        """Whose file it is; `NotOurs` where it does not say."""

    @abstractmethod
    def entries(self) -> tuple[Entries | None, Reason | None]:
        """What was typed, and what a person should know of it; `NotOurs` where nobody can tell."""

    def source(self, sheets: tuple[str, ...]) -> Source:
        """Where the entries for these sheets came from."""
        return Source(self.file, self.raw["kind"], self.owner.code, sheets)

    def require_of_batch(self) -> None:
        """Raise `NotOurs` for what another version, another batch or nobody's batch made."""
        owner, ours = self.owner, self.batch.lesson.batch
        if owner.format != FORMAT:
            raise NotOurs("version", found=owner.format, expected=FORMAT)
        if not owner.batch:
            raise NotOurs("make")
        if owner.batch != ours:
            raise NotOurs("batch", theirs=owner.batch, ours=ours)
        if owner.code not in self.batch.records:
            raise NotOurs("code", code=owner.code)
