"""The examples of docs/service.md, and what the container file relies on."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tamis.cli import main

Server = Any
ROOT = Path(__file__).parent.parent.parent
CURLS = re.findall(
    r"^    ((?:gzip .*\| )?curl .*)$", (ROOT / "docs/service.md").read_text("utf-8"), re.M
)


@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed")
@pytest.mark.parametrize("command", CURLS)
def test_the_examples_work(server: Server, site: str, tmp_path: Path, command: str) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "request.json").write_text(json.dumps({"html": "<p>A sieve."}))
    (tmp_path / "pages.jsonl").write_text(json.dumps({"html": "<p>A sieve."}) + "\n")
    command = command.replace("localhost:8765", server.address).replace("https://example.org", site)
    run = subprocess.run(
        command.replace("curl -s", "curl -s --fail-with-body --noproxy '*'"),
        shell=True,
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout
    assert run.stdout or "-o " in command


def test_there_are_examples_of_every_endpoint(server: Server) -> None:
    for path in server.get("/openapi.json").json()["paths"]:
        assert any(path.partition("{")[0] in command for command in CURLS), path


STEPS = dict(
    re.findall(
        r"^(ENTRYPOINT|HEALTHCHECK CMD) (\[.*\])$", (ROOT / "Containerfile").read_text(), re.M
    )
)


def test_what_the_container_copies_is_there() -> None:
    for names in re.findall(r"^COPY (?!--)(.*) \S+$", (ROOT / "Containerfile").read_text(), re.M):
        for name in names.split():
            assert (ROOT / name).exists(), name


def test_the_container_does_not_start_without_a_token() -> None:
    program, *words = json.loads(STEPS["ENTRYPOINT"])
    assert program.endswith("/tamis")
    result = CliRunner().invoke(main, words, env={"TAMIS_TOKEN": ""})
    assert result.exit_code == 2
    assert "set a token" in result.stderr


def test_the_container_knows_whether_it_is_well(server: Server) -> None:
    program, option, code = json.loads(STEPS["HEALTHCHECK CMD"])
    assert (program.rpartition("/")[2], option) == ("python", "-c")
    here = code.replace("http://127.0.0.1:8765", server.address)
    environment = {"no_proxy": "*"}
    assert subprocess.run([sys.executable, option, here], env=environment).returncode == 0
    nowhere = code.replace(":8765", ":1")
    run = subprocess.run([sys.executable, option, nowhere], env=environment, capture_output=True)
    assert run.returncode == 1
