"""Witnesses of what a model's numbers mean: its promises, looked up anew."""

import re
from functools import cache
from typing import Any

import numpy as np

import generator
from generator.engine.trace import Trace
from tests.support.witnesses.seen import Seen


def strangers(seen: Seen) -> set[str]:
    """The words of the vocabulary that the preset's file does not give numbers of."""
    if seen.trace.preset.start != "sentence":
        return set()
    table = seen.trace["vocabulary.embedding"]
    known = {(word, tuple(row)) for word, row in seen.trace.preset.words.items()}
    rows = zip(table.rows, table.values.tolist(), strict=True)
    return {word for word, row in rows if (word, tuple(row)) not in known}


def some_dimensions_drawn(seen: Seen) -> bool:
    """Whether every stranger has 0 in the dimensions that are left out, and there are some."""
    kept = [k for k in range(seen.trace.preset.d_model) if k in seen.trace.preset.reserved]
    table = seen.trace["vocabulary.embedding"]
    rows = zip(table.rows, table.values.tolist(), strict=True)
    mine = [row for word, row in rows if word in strangers(seen)]
    return bool(kept and mine) and all(row[k] == 0 for row in mine for k in kept)


def only_values_drawn(seen: Seen) -> bool:
    """Whether other embeddings would change no query and no key, but some value."""
    trace, at = seen.trace, seen.plan.at
    if not strangers(seen) or "position" not in trace or trace[f"{at}.query"].inputs[0] != "input":
        return False
    made = {name: trace[f"{at}.weight.{name}"].values for name in ("query", "key", "value")}
    word = trace["embedding"].values
    parts = {name: word[:, :, None] * weight[None] for name, weight in made.items()}
    return not parts["query"].any() and not parts["key"].any() and bool(parts["value"].any())


def promise(trace: Trace, rule: Any) -> bool:
    """Whether a computation has a case of a promise, and keeps it in every one."""
    tokens = trace.tokens
    if rule.rule == "writes":
        return not drawn(trace) and _writes(trace.preset.name, trace.language, trace.rounding)
    if rule.rule in ("predicts", "continues", "repeats"):
        return _predicts(trace, rule)
    shares = trace[f"{rule.head}.weights"].values
    mask = f"{rule.head}.mask"
    visible = trace[mask].values == 0 if mask in trace else np.ones(shares.shape, bool)
    cases = []
    for i in range(len(tokens)):
        at = [j for j in _wanted(trace, rule, i) if visible[i, j]]
        if at:
            got = [float(shares[i, j]) for j in at]
            cases.append(min(got) * len(got) if rule.rule == "same" else sum(got))
    return bool(cases) and min(cases) >= rule.least


def _wanted(trace: Trace, rule: Any, i: int) -> list[int]:
    tokens = trace.tokens
    earlier = [j for j in range(i) if tokens[j] == tokens[i]]
    names = trace.preset.dimensions

    def kind(k: int) -> str:
        row = trace["embedding"].values[k].tolist()
        return names[row.index(max(row))]

    everywhere = range(len(tokens))
    return {
        "previous": lambda: [i - 1] if i else [],
        "same": lambda: earlier,
        "after-same": lambda: [j + 1 for j in earlier],
        "words": lambda: [j for j in everywhere if tokens[j] in rule.at] * (tokens[i] in rule.who),
        "kinds": lambda: [j for j in everywhere if kind(j) in rule.at] * (kind(i) in rule.who),
    }[rule.rule]()


def _predicts(trace: Trace, rule: Any) -> bool:
    tokens = trace.tokens
    if rule.rule == "predicts":
        other = generator.compute(
            rule.sentence or None, preset=trace.preset, rounding=trace.rounding
        )
        return other["sampling.next"].values[0, 0] in rule.at and not drawn(trace)
    found = str(trace["sampling.next"].values[0, 0])
    if rule.rule == "repeats":
        return found in tokens
    after = [tokens[j + 1] for j in range(len(tokens) - 1) if tokens[j] == tokens[-1]]
    return len(set(after)) == 1 and after[0] != tokens[-1] and found == after[0]


@cache
def _writes(name: str, language: str, rounding: str) -> bool:
    """Whether a shipped model goes on with the promised texts, prefix by prefix."""
    known = generator.compute(preset=name, language=language).preset
    (rule,) = (one for one in known.behaviour if one.rule == "writes")
    texts = {tuple(re.findall(r"\w+|[^\w\s]", text)) for text in rule.at}
    first = len(rule.sentence.split())
    reached = {next(iter(texts))[:first]: 1.0}
    for n in range(first, max(map(len, texts))):
        for start in [one for one in reached if len(one) == n]:
            follow = {text[n] for text in texts if text[:n] == start and len(text) > n}
            made = generator.compute(
                " ".join(start), preset=name, language=language, rounding=rounding
            )
            if follow and made["sampling.next"].values[0, 0] not in follow:
                return False
            step = made["sampling.share"]
            for word in follow:
                share = float(step.values[0, step.columns.index(word)])
                reached[(*start, word)] = reached[start] * share
    return sum(p for text, p in reached.items() if text in texts) >= rule.least


def drawn(trace: Trace) -> bool:
    """Whether a word of the sentence has numbers that nobody chose or learned."""
    return trace.preset.start == "sentence" and not set(trace.tokens) <= set(trace.preset.words)


def meant(seen: Seen) -> bool:
    """Whether the preset calls its numbers meaningful and nothing here speaks against it."""
    preset = seen.trace.preset
    broken = [
        one
        for one in preset.behaviour
        if one.rule in ("previous", "same", "after-same", "kinds", "words")
        and not promise(seen.trace, one)
        and any(_wanted(seen.trace, one, i) for i in seen.all())
        and not _no_case(seen.trace, one)
    ]
    return preset.meaningful and not drawn(seen.trace) and not broken


def _no_case(trace: Trace, rule: Any) -> bool:
    """Whether all that a token ought to look at is masked for it."""
    mask = f"{rule.head}.mask"
    if mask not in trace:
        return False
    visible = trace[mask].values == 0
    return not any(visible[i, j] for i in range(len(trace.tokens)) for j in _wanted(trace, rule, i))


def chosen(seen: Seen) -> bool:
    """Whether the preset says that its numbers are made up."""
    return not seen.trace.preset.meaningful


def shows(seen: Seen) -> bool:
    """Whether all that the preset promises is to be seen, in the shares that the sheet has."""
    trace = seen.trace
    if getattr(seen.plan, "at", "") and seen.plan.sheet == "4a":
        shares = trace[seen.head("weights")]
        trace = trace.with_steps([shares._replace(name=f"{seen.plan.at}.weights")])
    return all(promise(trace, one) for one in trace.preset.behaviour)


def shows_with_mask_only(seen: Seen) -> bool:
    """Whether it is to be seen with the mask, but not on the sheet."""
    return not shows(seen) and all(promise(seen.trace, one) for one in seen.trace.preset.behaviour)


def all_short(seen: Seen) -> bool:
    """Whether no number of the sheet's head has to be rounded, of sheets about a head."""
    if not hasattr(seen.plan, "mind"):
        return False
    trace, at = seen.trace, seen.plan.at
    exact = generator.compute(
        trace.sentence, preset=trace.preset, language=trace.language, rounding="exact"
    )
    found = {name: exact[f"{at}.{name}"].values for name in FROM_X}
    powers = (trace.preset.softmax_base or np.e) ** found["scaled"]
    if f"{at}.mask" in exact and seen.head("exp") == f"{at}.exp":
        powers = powers * (exact[f"{at}.mask"].values == 0)
    total = powers.sum(axis=1, keepdims=True)
    shares = powers / np.where(total, total, 1)
    found |= {"exp": powers, "sum": total, "weights": shares, "output": shares @ found["value"]}
    pairs = [(trace[seen.head(name)], values) for name, values in found.items()]
    pairs.append((trace["scale"], exact["scale"].values))
    return all(np.abs(x - np.round(x, step.decimals)).max() < 1e-9 for step, x in pairs)


FROM_X = ("query", "key", "value", "scores", "scaled")


def on_paper(seen: Seen) -> bool:
    """Whether what is printed is what is computed with: each step rounded."""
    return seen.trace.rounding == "paper"
