"""A resolved preset as plain data and back: what a manifest keeps of it, whatever its files say."""

from collections.abc import Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any

import numpy as np

from generator.engine.preset import Compare, History, Preset, Promise, Range, State

# By the names that manifests hold, which stay whatever the classes are called.
CLASSES: Mapping[str, Any] = {
    "Preset": Preset,
    "Compare": Compare,
    "Range": Range,
    "Stated": Promise,
    "History": History,
    "State": State,
}
KINDS = {one: kind for kind, one in CLASSES.items()}
IS, ITEMS = "is", "items"


def to_data(value: object) -> Any:
    """The value as what JSON can hold: numbers keep their last bit.

    Raises TypeError for what a preset does not hold.
    """
    if kind := KINDS.get(type(value)):
        names = [one.name for one in fields(CLASSES[kind])]
        return {IS: kind, ITEMS: [[name, to_data(getattr(value, name))] for name in names]}
    match value:
        case None | bool() | int() | float() | str():
            return value
        case np.ndarray():
            return {IS: "array", ITEMS: value.tolist()}
        case tuple() | list():
            return [to_data(one) for one in value]
        case frozenset():
            return {IS: "set", ITEMS: sorted(value)}
        case Mapping():
            return {IS: "table", ITEMS: [[name, to_data(one)] for name, one in value.items()]}
    raise TypeError(f"found a {type(value).__name__}, expected what a preset holds")


def from_data(data: Any) -> Any:
    """The value that `to_data` described."""
    if isinstance(data, list):
        return tuple(map(from_data, data))
    if not isinstance(data, dict):
        return data
    kind, items = data[IS], data[ITEMS]
    match kind:
        case "array":
            return np.array(items, dtype=np.float64)
        case "set":
            return frozenset(items)
        case "table":
            return MappingProxyType({name: from_data(one) for name, one in items})
    return CLASSES[kind](**{name: from_data(one) for name, one in items})
