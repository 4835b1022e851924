"""Finding and reading preset files, the short forms of weights, and `presets new`."""

import numpy as np
import pytest
from safetensors.numpy import save_file

from generator import compute
from generator.errors import UserError
from generator.make import Request, make
from generator.presets.load import load_preset, parse, shipped
from generator.presets.new import new_preset_text
from generator.presets.schema import File, PresetError
from generator.render.worksheet.worksheet import planned
from generator.sheets.options import SheetOptions
from generator.sheets.series import SERIES, SHEETS
from tests.presets.files import GOOD, changed, end, refused

KEY = '"block1.head1.weight.key" = "identity"'
NAME = "block1.head1.weight.key"


@pytest.fixture
def own(tmp_path):
    path = tmp_path / "mini.toml"
    path.write_text(GOOD, encoding="utf-8")
    return path


# ---- files -------------------------------------------------------------------------------------


def test_an_own_file_is_as_good_as_a_shipped_one(own):
    assert load_preset(own).source == "mini.toml"
    assert compute(preset=own).tokens == compute(preset=str(own)).tokens == ("a", "b")


def test_an_unknown_name_lists_the_known_ones():
    message = refused("kaze")
    assert message.startswith("there is no preset 'kaze'; did you mean 'katze'?; shipped: ausgabe,")
    assert all(name in message for name in shipped())
    assert message.endswith("your own file: its path, such as ./mine.toml")


def test_what_is_no_file(own, name, message):
    (own.parent / "folder.toml").mkdir()
    path = own.parent / name
    assert refused(path if name else f"{path}/") == f"preset {message.format(path)}"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        *((one, "line") for one in ("[a]\n[a]\n", "<html>")),
        *((one, "end of document") for one in ("format = ", "a = 1\na = 2", "x = 'a")),
        (f"x = {'[' * 5000}{']' * 5000}", "nested too deeply"),
        (f"x = {'9' * 5000}", "limit"),
    ],
)
def test_not_toml_names_the_place(own, text, place):
    own.write_text(text, encoding="utf-8")
    assert refused(own).startswith("mini.toml: this is not TOML: ")
    assert place in refused(own)


@pytest.mark.parametrize("data", [b"name = '\xff'", b"\x80", GOOD.encode("utf-16")])
def test_not_utf8_names_the_byte(own, data):
    own.write_bytes(data)
    assert refused(own).startswith(f"preset {own}: not UTF-8 text (byte ")
    assert refused(own).endswith("save the file as UTF-8")


def test_a_byte_order_mark_and_windows_lines_are_fine(own):
    own.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert load_preset(own).name == "mini"


def test_an_empty_file_names_what_is_compulsory():
    with pytest.raises(PresetError) as caught:
        parse("", "empty.toml")
    assert [p.key for p in caught.value.problems] == ["format", "name", "sentence", "model"]


# ---- short forms -------------------------------------------------------------------------------


def test_short_forms(form, expected):
    weight = parse(changed((KEY, f'"{NAME}" = {form}')), "mini.toml").weights[NAME]
    assert weight.tolist() == expected
    assert weight.dtype == np.float64
    assert not np.signbit(weight[weight == 0]).any()


def test_draws_stay_in_their_range():
    text = GOOD.replace('"identity"', '"draw -0.2 0.6 0.3"')
    drawn = {v for w in parse(text, "mini.toml").weights.values() for v in np.ravel(w).tolist()}
    assert drawn == {-0.2, 0.1, 0.4}


def test_a_vector_is_a_row():
    preset = parse(changed(end('"block1.bias.hidden" = [1, 2]')), "mini.toml")
    assert preset.weights["block1.bias.hidden"].tolist() == [[1.0, 2.0]]


@pytest.mark.parametrize("form", ['"draw -1 1 0.1"', '"zero"'])
def test_short_forms_of_learned_positions_serve_every_sentence(form):
    text = changed(('kind = "none"', 'kind = "learned"'), end(f'"position" = {form}'))
    assert parse(text, "mini.toml").weights["position"].shape == (512, 2)


def test_no_number_is_minus_zero():
    text = changed(("a = [0.5, 0.1]", "a = [-0.0, 0.1]"), (KEY, f'"{NAME}" = [[-0.0, 0], [0, 1]]'))
    preset = parse(text, "mini.toml")
    assert not np.signbit([*preset.words["a"], *preset.weights[NAME].ravel()]).any()


# ---- safetensors -------------------------------------------------------------------------------


@pytest.fixture
def tensors(tmp_path):
    save_file(
        {
            "square": np.array([[1.0, 2.0], [3.0, 4.0]], dtype=np.float32),
            "row": np.array([0.5, 0.25]),
            "long": np.array([[0.1, 2.0], [3.0, 4.0]], dtype=np.float32),
            "cube": np.zeros((1, 2, 2)),
            "nan": np.full((2, 2), np.nan),
            "positions": np.zeros((5, 2)),
        },
        tmp_path / "x.safetensors",
    )
    return tmp_path


def taking(key: str, file: str = "x.safetensors") -> tuple[str, str]:
    return (KEY, f'"{NAME}" = {{ file = "{file}", key = "{key}" }}')


def test_a_weight_from_a_safetensors_file(tensors):
    path = tensors / "mini.toml"
    row = '"block1.bias.hidden" = { file = "x.safetensors", key = "row" }'
    path.write_text(changed(taking("square"), end(row)), encoding="utf-8")
    preset = load_preset(path)
    assert preset.weights[NAME].tolist() == [[1, 2], [3, 4]]
    assert preset.weights[NAME].dtype == np.float64
    assert preset.weights["block1.bias.hidden"].tolist() == [[0.5, 0.25]]


def test_learned_positions_have_the_rows_of_their_file(tensors):
    position = end('"position" = { file = "x.safetensors", key = "positions" }')
    text = changed(('kind = "none"', 'kind = "learned"'), position)
    assert parse(text, "mini.toml", tensors).weights["position"].shape == (5, 2)


def test_what_can_be_wrong_with_it(tensors, key, file, part):
    (tensors / "mini.toml").write_text(GOOD, encoding="utf-8")
    with pytest.raises(PresetError) as caught:
        parse(changed(taking(key, file)), "mini.toml", tensors)
    assert f"weights.{NAME}: {part}" in str(caught.value)


def test_the_content_hash_covers_numbers_in_other_files(tensors):
    before = parse(changed(taking("square")), "mini.toml", tensors).sha256
    save_file({"square": np.eye(2)}, tensors / "x.safetensors")
    assert parse(changed(taking("square")), "mini.toml", tensors).sha256 != before


# ---- the content hash --------------------------------------------------------------------------


def test_the_content_hash_is_of_what_is_said():
    plain = parse(GOOD, "mini.toml").sha256
    assert parse(f"# a comment\n{GOOD}\n\n", "other.toml").sha256 == plain
    assert parse(changed(("a = [0.5,", "a = [0.6,")), "mini.toml").sha256 != plain
    assert len(plain) == 64


# ---- hints -------------------------------------------------------------------------------------


# ---- presets new -------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_new_preset_passes_the_check_and_computes(tmp_path, language):
    path = tmp_path / "my-model-2.toml"
    path.write_text(new_preset_text("my-model-2"), encoding="utf-8")
    preset = load_preset(path)
    assert preset.name == "my-model-2"
    assert compute(preset=preset, language=language)["sampling.next"].text


def test_a_new_preset_explains_every_key():
    text = new_preset_text("x")
    tables = {name: field.annotation for name, field in File.model_fields.items()}
    assert len(tables) > 20
    for name, table in tables.items():
        assert name in text
        for key, field in getattr(table, "model_fields", {}).items():
            assert f"\n{field.alias or key} = " in text.replace("\n# ", "\n") or key == "words"


def test_every_line_that_a_new_preset_leaves_out_can_be_put_in():
    """Each of these lines alone, without its #, is TOML with a known key and a right shape."""
    lines = new_preset_text("x").splitlines()
    commented = [k for k, line in enumerate(lines) if line.startswith(("# d_head", '# "block1.'))]
    assert len(commented) == 7
    for k in commented:
        changed_lines = [
            line.removeprefix("# ") if j == k else line for j, line in enumerate(lines)
        ]
        assert parse("\n".join(changed_lines), "x.toml").name == "x"


LEARNED = "8"  # shows how a preset was trained


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("language", ["de", "en"])
def test_a_new_preset_fills_every_sheet(level, language):
    trace = compute(preset=parse(new_preset_text("x"), "x.toml"), language=language)
    for sheet in (name for name in SHEETS if name != LEARNED):
        options = SheetOptions(level=level, language=language)
        assert planned(sheet, trace, options).asked or not SERIES[sheet].kind.filled


@pytest.mark.ci
def test_all_files_of_a_new_preset_are_made(tmp_path):
    trace = compute(preset=parse(new_preset_text("x"), "x.toml"))
    made = make(trace, Request(only=("xlsx", "html")), tmp_path)
    note, later = made.notes
    assert later.startswith("sheet 7b prints the new rows that sheet 7a asks for")
    assert note.startswith("left out: 8 (preset 'x' keeps no history of its training")
    assert made.problems == []
    solved = {path.name for path in made.paths if path.name.endswith("solution.html")}
    assert len(solved) == sum(not SERIES[name].kind.single for name in SHEETS) - 1


@pytest.mark.parametrize("name", ["", "My Model", "ä", "-x", "a" * 41, "a\n", "../x", 'a"b'])
def test_a_new_preset_needs_a_good_name(name):
    with pytest.raises(UserError, match=r"a preset cannot be called .*expected small letters"):
        new_preset_text(name)
