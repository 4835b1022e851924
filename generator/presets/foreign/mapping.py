"""A mapping file: which tensor of a PyTorch program is which weight of the model."""

import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from generator.errors import UserError, did_you_mean
from generator.presets.foreign.model_files import EMBEDDING
from generator.presets.problems import PresetError, Problem, shown
from generator.presets.read import read
from generator.presets.schema import File
from generator.presets.shapes import shapes
from generator.presets.toml_file import tables_of, text_of

TABLE = "tensors"
LAYOUTS = ("out, in", "in, out")
OWN = ("words", "layout", "ignore")  # keys of [tensors] that name no weight
PARTS = ("query", "key", "value")
FUSED = "query_key_value"
_HEADER = re.compile(r"^\[tensors\][ \t]*(#.*)?$", re.MULTILINE)
_LATER = re.compile(r"^\[.*\][ \t]*(#.*)?$", re.MULTILINE)


class Piece(NamedTuple):
    """Where a weight's numbers are: a tensor, and which of its equal parts along the outputs."""

    tensor: str
    part: int = 0
    parts: int = 1


class Mapped(NamedTuple):
    """A mapping file read: the preset's own part, its words, and the place of each weight.

    `shapes` are the weights that the model may have; `turned` says that the file's matrices are
    [out, in], as `torch.nn.Linear` keeps them; tensors that match `ignore` are no weights.
    """

    head: str
    file: File
    words: tuple[str, ...]
    pieces: Mapping[str, Piece]
    shapes: Mapping[str, tuple[int, int]]
    turned: bool
    ignore: tuple[str, ...]

    def unused(self, tensors: list[str]) -> list[str]:
        """Those of a file's tensors that are neither named nor to be ignored."""
        named = {piece.tensor for piece in self.pieces.values()}
        return [
            name
            for name in tensors
            if name not in named and not any(fnmatchcase(name, one) for one in self.ignore)
        ]


def read_mapping(path: Path) -> Mapped:
    """The mapping in a TOML file: a preset without its numbers, and the table [tensors] at its end.

    Raises `UserError` for a file that is not TOML or has no such table, `PresetError` with every
    problem of its content.
    """
    text = text_of(path, "mapping")
    raw = tables_of(text, path.name)
    tensors = raw.pop(TABLE, None)
    header = _HEADER.search(text)
    if not isinstance(tensors, dict) or header is None or _LATER.search(text, header.end()):
        raise UserError(
            f"mapping {path}: expected a table [tensors] as the last one, such as: "
            '"block{block}.weight.query" = "blocks.{block0}.attn.W_Q.weight"'
        )
    for key in ("weights", "vocabulary"):
        if key in raw:
            own = Problem(key, "a table", "none: its numbers come from the weights")
            raise PresetError(path.name, [own])
    words, problems = _words(tensors, path)
    file, more = read({**raw, "vocabulary": {"words": {word: [0.0] for word in words}}})
    if file is None or problems or more:
        raise PresetError(path.name, [*problems, *more])
    known, needed = shapes(file, len(words))
    known = {EMBEDDING: (len(words), file.model.d_model), **known}
    pieces, problems = _pieces(tensors, file, known)
    problems += [
        Problem(f"{TABLE}.{name}", "nothing", "the name of its tensor")
        for name in (EMBEDDING, *sorted(needed))
        if name not in pieces
    ]
    problems += _settings(tensors)
    if problems:
        raise PresetError(path.name, problems)
    turned = tensors.get("layout", LAYOUTS[0]) == LAYOUTS[0]
    ignore = tuple(tensors.get("ignore", ()))
    return Mapped(text[: header.start()].rstrip(), file, words, pieces, known, turned, ignore)


def _words(tensors: Mapping[str, Any], path: Path) -> tuple[tuple[str, ...], list[Problem]]:
    """The words in order of their ids: a list, or the name of a text file, one word per line."""
    words = tensors.get("words")
    if isinstance(words, str):
        lines = text_of(path.with_name(words), "words").splitlines()
        return tuple(lines), []
    if isinstance(words, list) and words and all(isinstance(word, str) for word in words):
        if twice := next((word for word in words if words.count(word) > 1), None):
            return (), [Problem(f"{TABLE}.words", f"{twice!r} twice", "each word once")]
        return tuple(words), []
    found = "nothing" if words is None else shown(words)
    wanted = "the words in order of their ids, as a list or as the name of a text file"
    return (), [Problem(f"{TABLE}.words", found, wanted)]


def _settings(tensors: Mapping[str, Any]) -> Iterator[Problem]:
    layout, ignore = tensors.get("layout", LAYOUTS[0]), tensors.get("ignore", [])
    if layout not in LAYOUTS:
        wanted = '"out, in" as torch.nn.Linear keeps a matrix, or "in, out"'
        yield Problem(f"{TABLE}.layout", shown(layout), wanted)
    if not (isinstance(ignore, list) and all(isinstance(one, str) for one in ignore)):
        wanted = 'a list of patterns, such as ["*.mask"]'
        yield Problem(f"{TABLE}.ignore", shown(ignore), wanted)


def _pieces(
    tensors: Mapping[str, Any], file: File, known: Mapping[str, tuple[int, int]]
) -> tuple[dict[str, Piece], list[Problem]]:
    pieces: dict[str, Piece] = {}
    problems: list[Problem] = []
    for key, value in tensors.items():
        if key in OWN:
            continue
        if not isinstance(value, str):
            problems.append(Problem(f"{TABLE}.{key}", shown(value), "the name of a tensor"))
            continue
        for name, piece in _spread(key, value, file):
            if name not in known:
                what = "no weight of this model", "one that it has", did_you_mean(name, known)
                problems.append(Problem(f"{TABLE}.{key}", *what))
                break
            pieces[name] = piece
    return pieces, problems


def _spread(key: str, value: str, file: File) -> Iterator[tuple[str, Piece]]:
    """Each weight that a line names, of each block and head; numbers in the name count from 1 or 0.

    A line without {head} is about all heads: their numbers follow each other, head by head, of
    `query_key_value` first all queries, then all keys, then all values.
    """
    blocks = range(file.model.blocks) if "{block" in key else range(1)
    heads = range(file.model.heads)
    for block, head in product(blocks, heads if "{head" in key else range(1)):
        places = {"block": block + 1, "block0": block, "head": head + 1, "head0": head}
        name, tensor = _filled(key, places), _filled(value, places)
        at, dot, kind = name.rpartition(".")
        place, _, what = at.rpartition(".")
        shared = what in ("weight", "bias") and ".head" not in f".{place}"
        if shared and kind == FUSED:
            for k, part in product(heads, enumerate(PARTS)):
                piece = Piece(tensor, part[0] * len(heads) + k, len(PARTS) * len(heads))
                yield f"{place}.head{k + 1}.{what}{dot}{part[1]}", piece
        elif shared and kind in PARTS:
            for k in heads:
                yield f"{place}.head{k + 1}.{what}{dot}{kind}", Piece(tensor, k, len(heads))
        else:
            yield name, Piece(tensor)


def _filled(text: str, places: Mapping[str, int]) -> str:
    for name, number in places.items():
        text = text.replace(f"{{{name}}}", str(number))
    return text
