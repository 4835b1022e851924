"""What is refused: one table of command and message; exit code 1, nothing written, no traceback."""

import os
import shlex
from pathlib import Path

import pytest

import generator
from generator.cli import main
from generator.files import require_file
from generator.presets.load import load_preset
from generator.typed import PLAINLY
from tests.cli.command import SMALL, files_below, run
from tests.support.classes import one_line
from tests.support.covering import each

QUERY = '"block1.head1.weight.query" = "select d1 d2"'
# In the table: what is too long for it, and what is said often.
LONG = {
    **{f"{{{n}}}": " ".join(f"w{k}" for k in range(n)) for n in (13, 31, 600)},
    "{x300}": "x" * 300,
    "{9s}": "9" * 5000,
    "{plainly}": PLAINLY,
    "{empty}": "is a variable of the shell empty?",
    "{comma}": "nothing stands before or after one of its commas",
    "{endless}": "this is a device or a pipe, which may never end; expected a",
}
# A command, and behind each bar what its message says. These also run as real commands, some
# always.
LIKELY = """
make "" | the sentence is empty | Die Katze
make " \u0009 " | the sentence is empty
walk "\u200b" | the sentence is empty
trace {600} | 600 tokens | 512
make {31} --only xlsx | 31 tokens | 30 | workbook
make {13} --only pdf --sheets 4a | 13 tokens | 12 | --only xlsx
make --preset kaze | 'kaze' | did you mean 'katze' | brille | random
make --preset no.toml | no.toml | no
make --preset ./folder | folder
make --preset text.toml | text.toml | not TOML | line 1
make --preset shapes.toml | weights. | 3× | expected
make --preset nan.toml | vocabulary.words.Ja | nan | finite
make --preset key.toml | model.d_modell | did you mean 'd_model'
trace --preset flat.toml | block1.normalised2, row 2 (Nein) | epsilon
make --preset steep.toml | block1.head1.weights, row 1 (Die) | sum | shifted
make --sheets 9 | sheet '9' | choose from: 1, bpe, 2, 3, slide, slides
make --language fr | 'fr' | de, en
make --language "" | language '' | de, en | --language ./fr
make --out /proc/none | cannot write /proc/none
make --rounding papier | did you mean 'paper' | paper, exact
make --level 4 | level '4' | 1, 2, 3
make --check onec | did you mean 'once'? | off, block, once
make --tolerance 0.5 | --tolerance | last decimal, 0 to 5
make --only html --sheets 4a --out text.toml | cannot write | text.toml | --out
make --only html --sheets 4a --out text.toml/x | cannot write | a file is where
make --only html --sheets 4a --out {x300} | cannot write | name too long
"""
# Every other option, one wrong value or more each; slips of the hand that Python would read as
# something else; training that would change nothing; private-use characters.
WRONG = """
make --only xls | output 'xls' | did you mean 'xlsx' | xlsx, pdf
make --only , | --only | expected a name
make --variant solved | variant 'solved' | blank, solution, both
make --part inf | part 'inf' | did you mean 'info'
make --budget lang | --budget | 'lang' | minutes
make --budget 1 --only html --sheets 4a | at least | budget is 1
make --preset ausgabe --sheets 4a --only html | 'ausgabe' | 4a | brille
make --only xlsx --sheets 9 | sheet '9' | choose from: 1, bpe, 2, 3
make --rounds 0 | --rounds: found '0' | from 1 to 30
make --preset katze --only xlsx --rounds 29 | 6 tokens | 28 further rounds | workbook takes 30
make --only xlsx --preset brille --rounds 2 | 'brille' | first round
make --set switch.mask=2 | switch.mask: found 2 | 1 (on)
make "Ein Hund" --preset paris | 'paris' | own sentence
trace --set temperature | --set | KEY=VALUE
trace --set temperatur=1 | did you mean 'temperature'
trace --set block1.concat[1,1]=1 | computed | given steps
trace --set temperature=warm | 'warm' | expected a number
trace --set tokens[9]=auf | [1,1] to [6,1]
trace --temperature 0 | --temperature | above 0
trace --temperature 1,nan | 'nan' | above 0
trace --preset brille --temperature 2 | 'brille' | --temperature would change nothing | katze
trace --strategy topk | did you mean 'top-k' | greedy
trace --strategy sample | --random
trace --strategy top-k --k 1.5 | --k | whole number
trace --k 2 | --k belongs to strategy top-k | greedy
trace --strategy top-k --k inf | --k | whole number
trace --strategy top-p --p 1.1 | --p | up to 1
trace --strategy sample --random 1 | --random | below 1
trace --format jsn | did you mean 'json' | latex
trace --out folder | folder | in its place
trace --out . | cannot write . | folder | name a file
trace --out .. | cannot write .. | folder | name a file
presets new . | presets new . | folder | ./mine.toml
presets new folder/.. | this is a folder | ./mine.toml
walk --step block1.head1.score | did you mean 'block1.head1.scores'
presets check nan.toml key.toml | Ja | d_modell
presets check flat.toml | deviation | row 2
presets show kaze | did you mean 'katze'
presets new "Mein Netz.toml" | 'Mein Netz' | letters
presets new text.toml | text.toml | exists already
trace --temperature 1,,2 | --temperature: found '1,,2' | {comma}
trace --temperature 1, | found '1,' | {comma}
trace --temperature 1,1.0 | '1,1.0' | each temperature once
make --sheets 4a,,6 | --sheets: found '4a,,6' | {comma}
trace --set temperature=1_000 | '1_000', expected a number | {plainly}
trace --set "temperature=\uff11" | found '\uff11' | {plainly}
trace --set "tokens[\uff11]=auf" | 'tokens[\uff11]': expected a step
trace --set temperature=nan | found 'nan', expected a number such
trace --temperature "\uff11" | --temperature: found '\uff11' | {plainly}
make --train 1_0 | --train: found '1_0' | {plainly}
generate --tokens " 4" | --tokens: found ' 4' | {plainly}
make --rate 0,1 --train 1 | --rate: found '0,1' | {plainly}
generate --seed "\u0663" | --seed: found '\u0663' | {plainly}
trace --temperature 1e999 | --temperature: found '1e999', expected a
batch "\uff11\uff12" | class list \uff11\uff12: there is no such file | number of pupils
batch 4 --vary "groups=\uff12" | 'groups=\uff12' | groups=2 to groups=6
make --only html --sheets 4a --out "" | --out: found '', an empty text; expected DIR | {empty}
make --only html --sheets 4a --out " " | --out: found ' ', an empty text | {empty}
trace --out "" | --out: found '' | expected FILE | {empty}
walk --step "" | --step: found '' | expected NAME | {empty}
presets check katze "" | NAME|FILE: found '' | {empty}
trace --preset katze --train 1 | --next-word | --targets all
trace --preset katze --train 0 | --train | '0' | 1 to 50
trace --preset katze --train many | --train | 'many'
trace --preset katze --rate 0.1 | --rate | --train N
trace --preset katze --learn output.matrix | --learn | --grad
trace --preset katze --targets all | --targets | --train N
trace --preset katze --grad --rate 1 | --rate | --train
trace --preset katze --grad --targets al | 'al' | last or all
trace --preset katze --train 1 --rate 0 | --rate | '0' | above 0
trace --preset katze --train 1 --rate nan | --rate | 'nan'
trace --preset katze --train 1 --rate 1e6 | --rate | up to 1000
trace --preset katze --grad --next-word Mate | 'Mate' is not in the vocabulary | 'Matte'
trace --preset katze --grad --next-word Matte --learn x | has no weight 'x'
make "Die \ue000Katze" | the sentence: found U+E000 as character 5
trace "\U000f0000" | the sentence: found U+F0000 as character 1
make --header "8b \ue001" | header: found U+E001 as character 4
make --author "\uf8ff" | author: found U+F8FF as character 1
make --licence "\ue000" | licence: found U+E000
trace --next-word "\ue000" | loss.target': found U+E000
trace --set "tokens[1]=\ue001" | 'tokens[1]': found U+E001
make --preset ./word.toml | found the private-use character U+E000
make --preset ./title.toml | title.de: found the private-use
make --texts own.txt | own text sheet4a.story.open: found U+E000
make --rounds 3 --only html --sheets 4a
    | --rounds 3 is about the workbooks, and none is asked for
make --rounds 3 --only xlsx --sheets 4a
    | --sheets 4a leaves a workbook just the tabs of these
batch 2 --out 8b --resume | 8b/teacher/manifest.json: this is a device or a pipe
trace --language ./fr | fr
"""
# Of `batch … --only xlsx`.
CLASS = """
none.csv | it has 0 pupils, only a heading in line 1
0 | 0 pupils: expected a number from 1 to 100000
100001 | expected a number from 1 to 100000
{9s} | class list 999
nobody.csv | class list nobody.csv: there is no such file
2 --jobs 0 | --jobs: found '0', expected a whole number of processes
2 --jobs 1000 | --jobs: found '1000', expected a whole number
2 --jobs 1.5 | --jobs: found '1.5', expected a whole number
2 --jobs two | --jobs: found 'two', expected a whole number
2 --versions 0 | --versions: found '0', expected a whole number from
2 --versions 101 | --versions: found '101', expected a whole
2 --vary nubmers | found 'nubmers'; did you mean 'numbers'?
2 --vary groups=1 | expected 2 to 6 groups
2 --sheets 9 | there is no sheet '9'
2 --only docx | there is no output 'docx'
2 --level 9 | there is no level '9'
2 --check never | no check 'never'; choose from: off, block, once
2 --tolerance 6 | --tolerance: found '6', expected whole units
2 --preset kaze | did you mean 'katze'?
2 "" --sheets 4a | the sentence is empty
2 --out file | a file is where a folder is needed
2 --out file/x | a file is where a folder is needed
2 --out nosuch://x | --out nosuch://x:
2 --out ftp://127.0.0.1:1/x | Connection refused; check the address
2 --set nothing=1 | 'nothing'
2 --seed "\udcff" | --seed
3 --sheets math | --sheets math: nobody fills anything in there
3 --sheets slides,formulas | paperformer make --sheets slides,formulas
3 --sheets generate | workbooks have no tab of these
3 --sheets 9,math | there is no sheet '9'
3 --sheets 7a --vary sentences | add --sheets 7d, or choose another --vary
"""
ENDLESS = """
make --preset {} | {endless}
batch {} | {endless}
make --texts {} | {endless}
reissue {} 01 | {endless}
presets train {} --out new.toml | {endless}
presets import weights --config {} --out new.toml | {endless}
"""
USAGE = [[], ["paint"], ["make", "--colour"], ["make", "--lang", "de"], ["make", "a", "b"]]


def cases(table: str, step: int = 1) -> list[object]:
    """The words of each command with the parts of its message; every so many run always."""
    lines = list(filter(None, table.replace("\n    |", " |").splitlines()))
    found = []
    for command, *parts in (line.split(" | ") for line in lines):
        words = [LONG.get(word, word) for word in shlex.split(command)]
        found.append((words, [LONG.get(part, part) for part in parts]))
    names = [ascii(line.partition(" | ")[0]) for line in lines]
    marked = each(step, found)
    return [
        pytest.param(*one.values, marks=one.marks, id=n)
        for one, n in zip(marked, names, strict=True)
    ]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: presets that are broken in one place each, lists, pipes."""
    katze = (Path(generator.__file__).parent / "presets/katze.toml").read_text(encoding="utf-8")
    assert QUERY in katze  # with queries so large, every exp of a row rounds to 0
    large = QUERY.replace('"select d1 d2"', "[[-60, 0], [0, -60], [0, 0], [0, 0]]")
    files = {
        "text.toml": "Die Katze\n",
        "shapes.toml": SMALL.replace('hidden" = "identity"', 'hidden" = [[1, 0], [0, 1], [1, 1]]'),
        "nan.toml": SMALL.replace("Ja = [1.0,", "Ja = [nan,"),
        "key.toml": SMALL.replace("d_model", "d_modell"),
        "flat.toml": SMALL,
        "steep.toml": katze.replace(QUERY, large),
        "word.toml": SMALL.replace("Nein = ", '"Ne\ue000in" = ').replace("Nein", "Ne\ue000in"),
        "title.toml": SMALL.replace("[model]", 'title = { de = "\\uE001" }\n[model]'),
        "own.txt": "[sheet4a.story.open]\nEin \ue000 Satz.\n",
        "none.csv": "id;name\n",
        "file": "mine",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "folder").mkdir()
    for pipe in ("pipe", "8b/teacher/manifest.json", "fr/language.toml", "fr/walk.toml"):
        (tmp_path / pipe).parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(tmp_path / pipe)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(folder: Path, capsys: pytest.CaptureFixture[str], words: list[str], parts: list[str]):
    """The command says these parts of one message and writes nothing."""
    before = files_below(folder)
    assert main(words) == 1
    out, err = capsys.readouterr()
    assert out == ""
    holds(err, parts)
    assert files_below(folder) == before
    assert words[0] == "batch" or not (folder / "outputs").exists()


def holds(message: str, parts: list[str]) -> None:
    assert message.startswith("paperformer: "), message
    assert "Traceback" not in message
    assert [part for part in parts if part not in message] == [], message


@pytest.mark.parametrize(("words", "parts"), cases(LIKELY, 8))
def test_through_the_command(folder: Path, words: list[str], parts: list[str]):
    before = files_below(folder)
    done = run(*words, cwd=folder)
    assert (done.returncode, done.stdout) == (1, "")
    holds(done.stderr, parts)
    assert files_below(folder) == before


@pytest.mark.parametrize(("words", "parts"), cases(LIKELY + WRONG))
def test_in_this_process(folder: Path, capsys, words: list[str], parts: list[str]):
    refused(folder, capsys, words, parts)


@pytest.mark.parametrize(("words", "parts"), cases(CLASS))
def test_of_a_class(folder: Path, capsys, words: list[str], parts: list[str]):
    only = [] if "--only" in words else ["--only", "xlsx"]
    refused(folder, capsys, ["batch", *words, *only], parts)


@pytest.mark.parametrize("place", ["/dev/zero", "./pipe"])
@pytest.mark.parametrize(("words", "parts"), cases(ENDLESS))
def test_what_may_never_end_is_not_read(
    folder: Path, capsys, words: list[str], parts: list[str], place: str
):
    named = [f"{Path(place)}: {part}" for part in parts]
    refused(folder, capsys, [word.format(place) for word in words], named)


@pytest.mark.parametrize("words", USAGE, ids=" ".join)
def test_usage_errors(words: list[str], capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as stopped:
        main(words)
    assert stopped.value.code == 2
    assert "usage: paperformer" in capsys.readouterr().err


def test_a_pupils_name_with_a_private_use_character_is_not_told(tmp_path: Path):
    found = one_line(tmp_path, "1;Mia \ue000")
    assert found.message.startswith("column 'name': found U+E000 as character 5")
    assert "Mia" not in found.message


def test_a_file_of_absurd_size_is_refused_with_the_limit(folder: Path, capsys):
    with (folder / "huge.toml").open("wb") as file:
        file.truncate(65_000_000)
    assert main(["make", "--preset", "./huge.toml"]) == 1
    holds(capsys.readouterr().err, ["huge.toml: found 65 MB, expected at most 64 MB"])


def test_shipped_presets_and_missing_files_pass(folder: Path):
    require_file(folder / "missing", "preset")
    require_file(folder, "preset")
    assert load_preset("katze").name == "katze"


@pytest.mark.parametrize("rounding", ["paper", "exact"])
def test_an_overflow_is_its_message_alone(folder: Path, capsys, rounding: str):
    """NumPy's warnings are errors in tests."""
    query, key = (f"block1.head1.weight.{name}[1,1]=1e308" for name in ("query", "key"))
    words = ["trace", "--preset", "katze", "--rounding", rounding, "--set", query, "--set", key]
    parts = ["preset 'katze', step block1.head1.scores, row 1 (Die): ",
             "a number is too large to compute with; change the words or the weights"]  # fmt: skip
    refused(folder, capsys, words, parts)
