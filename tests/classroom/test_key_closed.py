"""A key that cannot be finished is one message: no page complains when it is thrown away."""

import subprocess
import sys

from tests.cli.command import ROOT

BREAKS_OFF = """
from generator.checks.exercise import Answer
from generator.errors import UserError
from generator.classroom.desk.key_rows import render

def answers():
    yield Answer("K7QX2MPD", "1", "4a", "scores", "Scores", "Die", "Die", 0.5, 2, 0.01)
    raise UserError("the notes have gone while the batch ran")

try:
    render(answers(), "de")
except UserError as error:
    print(error)
"""


def test_answers_that_break_off_leave_no_open_page() -> None:
    done = subprocess.run(
        [sys.executable, "-c", BREAKS_OFF], cwd=ROOT, capture_output=True, text=True
    )
    assert (done.stdout, done.stderr) == ("the notes have gone while the batch ran\n", "")
