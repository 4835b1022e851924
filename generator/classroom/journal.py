"""What a batch has finished: kept while it runs, so that a stopped one can be taken up again."""

from collections.abc import Iterator, Mapping, Sequence

from generator.classroom.manifest import opened, sealed, versions
from generator.classroom.manifest_form import Notes
from generator.classroom.seat_record import FORMAT, Record
from generator.classroom.seats import Seat
from generator.classroom.store import Store, sha256
from generator.errors import UserError

STARTED = "teacher/started.json"
PROGRESS = "teacher/progress"
MANIFEST = "teacher/manifest.json"
FEW = 100  # records in one file


class Journal:
    """The finished seats of a batch, by code; small files that are written whole or not at all.

    The files are numbered: what a later one says of a seat holds.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._where: dict[str, int] = {}
        self._open: tuple[int, dict[str, Record]] = (0, {})
        self._last = 0

    def start(self, head: Mapping[str, object]) -> None:
        """Note what is being made, so that `--resume` can go on with the same choices."""
        self.store.write({STARTED: sealed(head)})

    def add(self, records: Sequence[Record]) -> None:
        """Note finished seats, whose files are all in place."""
        if not records:
            return
        self._last += 1
        head = {"format": FORMAT, "made_with": versions()}
        self.store.write({_path(self._last): sealed(head, records)})
        self._where.update((record["code"], self._last) for record in records)

    def take_up(self) -> list[str]:
        """Read what earlier runs finished; gives back what is wrong with damaged files."""
        problems: list[str] = []
        for number in sorted(self._numbers()):
            self._last = number
            try:
                self._where.update(dict.fromkeys(self._read(number), number))
            except UserError:
                path = f"{self.store}/{_path(number)}"
                problems.append(f"{path} is damaged; the sets that it noted are made again")
        return problems

    def take_over(self, records: Sequence[Record]) -> None:
        """Note the seats of a finished batch that is being enlarged."""
        for begin in range(0, len(records), FEW):
            self.add(records[begin : begin + FEW])

    def whole(self, seat: Seat) -> bool:
        """Whether a seat is finished as the list has it now, and its files are as written.

        One that is not is forgotten.
        """
        if seat.code not in self._where:
            return False
        record = self.record(seat.code)
        if seat.described().items() <= record.items() and self._as_written(record["files"]):
            return True
        del self._where[seat.code]
        return False

    def record(self, code: str) -> Record:
        """The record of a finished seat; KeyError for another."""
        number = self._where[code]
        if self._open[0] != number:
            self._open = number, self._read(number)
        return self._open[1][code]

    def __contains__(self, code: str) -> bool:
        return code in self._where

    def codes(self) -> set[str]:
        """The codes of all finished seats, also of those that have left the list."""
        return set(self._where)

    def give_up(self) -> None:
        """Take the journal away if it has nothing, so that another beginning is free."""
        if not self._where:
            self.store.remove_file(STARTED)
            self.store.tidy((PROGRESS, "teacher", "hand-out"))

    def finish(self) -> None:
        """Take the journal away: the manifest holds it all now."""
        self.store.remove_file(STARTED)  # first: from now on the manifest says what is there
        self.store.remove(PROGRESS)

    def _as_written(self, files: Mapping[str, str]) -> bool:
        contents = ((self.store.read(path), digest) for path, digest in files.items())
        return all(content is not None and sha256(content) == d for content, d in contents)

    def _numbers(self) -> Iterator[int]:
        for name in self.store.names(PROGRESS):
            stem, _, kind = name.partition(".")
            if stem.isdecimal() and kind == "json":
                yield int(stem)

    def _read(self, number: int) -> dict[str, Record]:
        path = _path(number)
        content = self.store.read(path)
        if content is None:
            raise UserError(f"{self.store}/{path} has gone while the batch ran; start it again")
        records: list[Record] = opened(content, f"{self.store}/{path}", Notes)["pupils"]
        return {record["code"]: record for record in records}


def _path(number: int) -> str:
    return f"{PROGRESS}/{number:06}.json"
