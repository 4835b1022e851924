"""Every text of `refusals.toml` is asked for, with the names that it prints."""

import ast
from pathlib import Path
from string import Formatter

import generator
from generator.resources import table

ASKING = ("message", "require", "demand", "refused", "both_tokens", "problem")
OF_FILES = ("_wrong", "_require")  # of a preset's file, which they give


def test_every_text_is_asked_for_with_the_names_that_it_prints():
    tables, asked = table("refusals.toml").items(), set()
    texts = {f"{part}.{key}": text for part, own in tables for key, text in own.items()}
    trees = [ast.parse(p.read_text("utf-8")) for p in Path(generator.__file__).parent.rglob("*.py")]
    calls = [one for tree in trees for one in ast.walk(tree) if isinstance(one, ast.Call)]
    for call in calls:
        name, given = ast.unparse(call.func).rpartition(".")[2], {one.arg for one in call.keywords}
        if name not in (*ASKING, *OF_FILES):
            continue
        given |= {"file"} if name in OF_FILES else set()
        if any(isinstance(one, ast.Name) and one.id == "trace" for one in call.args):  # a plan's
            given |= {"trace", "preset", "count", "counted"}
        for key in (getattr(one, "value", None) for one in call.args):
            if isinstance(key, str) and "." in key:
                fields = [name for _, name, *_ in Formatter().parse(texts[key]) if name]
                named = {name.partition(".")[0].partition("[")[0] for name in fields}
                assert named <= given or None in given, key  # None: a mapping with more of them
                asked.add(key)
    assert asked == texts.keys()
