"""What is installed, what is missing, what that costs and the command that mends it.

Only the standard library is imported here: the doctor has to work where nothing else does.
"""

import importlib
import platform
import subprocess
from collections.abc import Sequence

from generator.doctor.findings import Finding, findings
from generator.doctor.remedies import Command, System, commands, this_system
from generator.version import __version__

__all__ = ["Command", "Finding", "System", "commands", "findings", "fix", "report", "run"]


def report(checked: Sequence[Finding], system: System | None = None) -> str:
    """The findings as text: a line each, and for what is missing its cost and its remedy."""
    system = system or this_system()
    lines = [f"Paperformer {__version__} on {platform.platform()}"]
    lines += [line for one in checked for line in _lines(one, system)]
    missing = [one for one in checked if not one.installed]
    lines.append(f"{len(missing)} of {len(checked)} missing" if missing else "all there")
    return "\n".join(lines)


def _lines(one: Finding, system: System) -> list[str]:
    state = "ok" if one.installed else ("too old" if one.version else "missing")
    first = f"  {state:<8}{one.name} {one.version}".rstrip()
    if one.installed:
        return [first]
    mend = [f"          mend it:    {command}" for command in commands([one], system)]
    return [first, f"          without it: {one.loss}", *(mend or [_by_hand(one)])]


def _by_hand(one: Finding) -> str:
    if not one.packages:
        return "          no package manager has it"
    known = ", ".join(f"{' '.join(names)} ({manager})" for manager, names in one.packages.items())
    return f"          install:    {known}"


def fix(checked: Sequence[Finding], system: System | None = None) -> int:
    """Run the commands that mend what is missing, or print them; 0 when all of them worked."""
    system = system or this_system()
    missing = [one for one in checked if not one.installed]
    todo = commands(missing, system)
    if any(one.privileged for one in todo) and not (system.root or system.sudo):
        print("installing needs root, and there is no sudo; have an administrator run:")
        print("\n".join(f"  {command}" for command in todo))
        return 1
    if any(not one.packages or not commands([one], system) for one in missing):
        print("no known package manager here mends everything; see the lines above")
        return 1
    return _run_all(todo)


def _run_all(todo: Sequence[Command]) -> int:
    for command in todo:
        print(f"running: {command}", flush=True)
        try:
            code = subprocess.run(command.words).returncode
        except FileNotFoundError:
            code = 127
        if code and not command.advisory:
            print(f"that failed (exit code {code}); is there a network, and may you install? "
                  f"Then run it yourself:\n  {command}")  # fmt: skip
            return 1
    return 0


def run(fix_it: bool, tests: bool) -> int:
    """Print what is there and missing, with `fix_it` mend it; 0 when nothing is missing."""
    checked = findings(tests)
    print(report(checked), flush=True)
    if all(one.installed for one in checked):
        return 0
    if not fix_it or fix(checked):
        return 1
    importlib.invalidate_caches()
    left = [one.name for one in findings(tests) if not one.installed]
    print(f"still missing: {', '.join(left)}" if left else "all there now")
    return 1 if left else 0
