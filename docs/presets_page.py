"""Writes the page "Presets and what they show": `python -m docs.presets_page`."""

from collections.abc import Iterator
from pathlib import Path

import generator
from generator.engine.preset import Preset, Promise
from generator.engine.trace import Trace
from generator.engine.vocabulary import readable, refusal
from generator.insight.behaviour import RULES, looks, predicted, tokens_of
from generator.locales.catalogue import load
from generator.presets.load import comments, first_comment, load_preset, shipped
from generator.render.data.what_if import what_if

PAGE = Path(__file__).with_name("presets.md")
HEADING = """\
# Presets and what they show

Written from the presets by `python -m docs.presets_page`; a test compares. Each statement below is
tested in exact and in paper arithmetic, on the preset's own sentence in both languages, and for the
heads with a meaning on fifty sentences. A preset states what it does under `[[behaviour]]`:
[how to add a preset](how-to/add-a-preset.md).

"What if" changes one thing and computes again. The sentences come from the two computations;
`paperformer presets what-if NAME --language de` prints them in German.
"""
PROMISES = {
    "previous": "each token gives the token before it {least} or more",
    "same": "a token gives all its earlier copies together {least} or more, each of them the same",
    "after-same": "a token gives what followed its earlier copies {least} or more",
    "kinds": "a token of the kind {who} gives those of the kind {at} {least} or more",
    "words": "{who} gives {at} {least} or more",
    "predicts": "after “{sentence}” comes {at}",
    "writes": "from “{sentence}” on, greedy decoding writes one of these, and so does sampling in "
    "{least} of all cases or more: {at}",
    "continues": "what followed the last token before comes again, if that was always the same "
    "other token",
    "repeats": "one of the sentence's own tokens comes again",
}


def page() -> str:
    """The whole page as Markdown."""
    parts = [HEADING, _overview(), *(_chapter(name) for name in shipped())]
    return "\n".join(parts)


def main() -> None:
    """Write the page beside this file."""
    PAGE.write_text(page(), encoding="utf-8", newline="\n")


def _overview() -> str:
    heads = ("Preset", "What it is for", "Do the numbers mean something?", "Own sentences?")
    rows = [f"| {' | '.join(heads)} |", "|---|---|---|---|"]
    for name in shipped():
        preset = load_preset(name)
        means = "yes" if preset.meaningful else "no"
        open_to = "no" if refusal(preset) else "yes"
        rows.append(f"| [`{name}`](#{name}) | {first_comment(name)} | {means} | {open_to} |")
    return "\n".join([*rows, ""])


def _chapter(name: str) -> str:
    preset = load_preset(name)
    trace = generator.compute(preset=preset, language="en")
    lines = [f"## {name}", "", f"{preset.title['en']} (German: {preset.title['de']})", ""]
    lines += [f"* Sentences: {_sentences(preset)}", f"* Sizes: {_sizes(preset)}"]
    if preset.dimensions:
        lines.append(f"* Dimensions: {', '.join(preset.dimensions)}")
    if preset.shows:
        lines += ["", f"**What to see.** {preset.shows['en']}", "", f"> {preset.shows['de']}"]
    if remarks := comments(name)[1:]:
        lines += ["", " ".join(remarks)]
    lines += ["", *_promises(trace), "", *_experiments(trace)]
    return "\n".join([*lines, ""])


def _sentences(preset: Preset) -> str:
    return " · ".join(f"“{sentence}”" for sentence in preset.sentences.values())


def _sizes(preset: Preset) -> str:
    sizes = {"d_model": preset.d_model, "heads": preset.heads, "d_head": preset.d_head}
    sizes |= {"d_ff": preset.d_ff, "blocks": preset.blocks, "words": len(preset.words)}
    shown = [f"{key} {value}" for key, value in sizes.items() if value]
    return ", ".join([*shown, f"mask {preset.mask}", f"positions {preset.positions}"])


def _promises(trace: Trace) -> Iterator[str]:
    for stated in trace.preset.behaviour:
        words = {
            "who": _listed(stated.who),
            "at": _listed(_texts(trace, stated)),
            "least": f"{stated.least:.0%}",
            "sentence": stated.sentence or trace.sentence,
        }
        head = f"`{stated.head}`: " if stated.rule in RULES else ""
        limit = f" (up to {stated.tokens} tokens)" if stated.tokens else ""
        promise = PROMISES[stated.rule].format(**words)
        yield f"* {head}{promise}{limit}{_seen(trace, stated)}"


def _texts(trace: Trace, stated: Promise) -> tuple[str, ...]:
    """The words of a promise; its texts as one writes them."""
    if stated.rule != "writes":
        return stated.at
    kind = trace.preset.tokenizer
    return tuple(readable(tokens_of(trace, text), kind) for text in stated.at)


def _seen(trace: Trace, stated: Promise) -> str:
    """What the preset's own sentence shows of a promise."""
    if stated.rule in RULES:
        cases = [f"“{trace.tokens[one.token]}” {one.share:.0%}" for one in looks(trace, stated)]
        return f". Here: {', '.join(cases)}" if cases else ""
    if stated.sentence:
        return ""
    return f". Here: “{predicted(trace, stated)[1]}”"


def _listed(words: tuple[str, ...]) -> str:
    return " or ".join(f"“{word}”" for word in words)


def _experiments(trace: Trace) -> Iterator[str]:
    found = what_if(trace, load("en"))
    if found:
        yield "| What if … | Question | Answer |"
        yield "|---|---|---|"
    for one in found:
        yield f"| {one.change} | {one.question} | {one.answer} |"


if __name__ == "__main__":
    main()
