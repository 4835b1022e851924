"""Words whose embeddings are the rows of one table: a vocabulary too large for single tuples."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np


class Embeddings(Mapping[str, tuple[float, ...]]):
    """Words in order of their ids, each with its row of `table` [words, d_model], read-only."""

    def __init__(self, words: Sequence[str], table: np.ndarray) -> None:
        table.setflags(write=False)
        self.table = table
        self._ids = {word: k for k, word in enumerate(words)}

    def __getitem__(self, word: str) -> tuple[float, ...]:
        return tuple(self.table[self._ids[word]].tolist())

    def __contains__(self, word: object) -> bool:
        return word in self._ids

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)


def table_of(words: Mapping[str, tuple[float, ...]], d_model: int) -> np.ndarray:
    """The embeddings of all words [words, d_model] as float64."""
    if isinstance(words, Embeddings):
        return words.table
    return np.array(list(words.values()), dtype=np.float64).reshape(len(words), d_model)
