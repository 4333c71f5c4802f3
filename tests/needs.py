"""What some tests need of the machine, with the one command that brings it.

A reason reads "needs THING: COMMAND". At the end of a run conftest.py counts what was skipped, one
line for each command, and `make test` fails if a reason has no command.
"""

from __future__ import annotations

import os
import shutil
import sys

import pytest

_IS_ROOT = os.name == "posix" and os.geteuid() == 0


def explain(what: str, command: str) -> str:
    """Say why a test is skipped, in the form that is counted."""
    return f"needs {what}: {command}"


def _unless(there: bool, what: str, command: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(not there, reason=explain(what, command))


def _program(name: str, package: str) -> pytest.MarkDecorator:
    return _unless(shutil.which(name) is not None, name, f"apt install {package}")


NO_CURL = explain("curl", "apt install curl")

posix = _unless(os.name == "posix", "POSIX", "run the tests on Linux or macOS")
linux = _unless(sys.platform == "linux", "Linux", "run the tests on Linux")
root = _unless(_IS_ROOT, "root", "sudo make test")
ordinary_user = _unless(
    os.name == "posix" and not _IS_ROOT, "an ordinary user", "make test as another user than root"
)
bash = _program("bash", "bash")
curl = _program("curl", "curl")
git = _program("git", "git")
java = _program("java", "default-jre-headless")
