"""The container's file installs what the doctor installs, and copies what the wheel is built of."""

import json
import re
import tomllib
from pathlib import Path

from generator.cli.parser import parser
from generator.render.worksheet.pdf_engine import INSTALL_PANGO

ROOT = Path(__file__).resolve().parents[2]
FILE = (ROOT / "docs/container/Containerfile").read_text("utf-8")


def test_it_installs_the_same_system_packages():
    (line,) = re.findall(r"--no-install-recommends (.*?) \\", FILE)
    (debian,) = re.findall(r"apt-get install (.*)", INSTALL_PANGO)
    assert set(line.split()) == set(debian.split())


def test_it_copies_what_a_wheel_needs_and_runs_as_nobody_special():
    copied = {name for line in re.findall(r"^COPY (.*) /src/", FILE, re.M) for name in line.split()}
    assert all((ROOT / name).exists() for name in copied)
    built = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    wheel = built["targets"]["wheel"]
    assert {*wheel["packages"], *wheel["force-include"]} <= copied
    (user,) = re.findall(r"^USER (\d+):\d+$", FILE, re.M)  # a number: clusters refuse a name
    assert f"--uid {user} " in FILE
    assert int(user) > 0
    assert FILE.index(f"USER {user}") < FILE.index("ENTRYPOINT")


def test_the_page_knows_its_public_name_and_from_where_caddy_asks():
    compose = (ROOT / "docs/container/compose.yaml").read_text("utf-8")
    (command,) = re.findall(r"command: (\[.*\])", compose)
    (address,) = re.findall(
        r"^\{\$(\w+)\} \{$", (ROOT / "docs/container/Caddyfile").read_text(), re.M
    )
    filled = re.sub(rf"\$\{{{address}:\?[^}}]*\}}", "paperformer.school.example", command)
    args = parser().parse_args(["serve", *json.loads(filled)])
    assert args.public_name == ("paperformer.school.example",)
    assert list(args.trusted_proxy) == re.findall(r"subnet: (\S+)", compose)
