"""The examples of docs/how-to, and what the container file relies on."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
from click.testing import CliRunner
from tests import needs
from tests.docs.blocks import blocks
from tests.train.harbour import timetable

from tamis.cli import main
from tamis.labels import datasets

Server = Any
ROOT = Path(__file__).parent.parent.parent


def commands(page: str) -> list[str]:
    found = blocks(ROOT / "docs" / "how-to" / page)
    lines = "".join(block.text for block in found if block.kind == "sh").splitlines()
    return [line for line in lines if "curl " in line]


OF_SERVICE, OF_PROJECTS = commands("service.md"), commands("projects.md")


@needs.curl
def test_the_examples_of_a_project_work_one_after_the_other(serve: Any, tmp_path: Path) -> None:
    (tmp_path / "pages.jsonl").write_text(json.dumps({"html": "<p>Another sieve."}) + "\n")
    labels = "".join(datasets.json_line(timetable(number)) for number in range(3))
    (tmp_path / "labels.jsonl").write_text(labels)
    with serve(project=str(tmp_path / "mine")) as server:
        for command in OF_PROJECTS:
            if "HASH" in command:
                command = command.replace("HASH", server.get("/v1/project/pages/1").json()["hash"])
            while "accept" in command and server.get("/v1/project/teach").json()["share"] < 1:
                time.sleep(0.1)
            command = command.replace("localhost:8765", server.address)
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
        assert any(path.partition("{")[0] in command for command in OF_SERVICE + OF_PROJECTS), path


def test_the_application_runs_inside_another() -> None:
    found = blocks(ROOT / "docs" / "how-to" / "service.md")
    (program,) = (block.text for block in found if "lifespan_context" in block.text)
    names: dict[str, Any] = {}
    exec(program, names)
    app = names["app"]

    async def ask() -> None:
        transport = httpx.ASGITransport(app)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://localhost") as client,
        ):
            assert (await client.get("/readyz")).text == "ready\n"
            answer = await client.post("/v1/extract", json={"html": "<p>x", "formats": ["text"]})
            assert answer.json()["text"] == "x"
            assert "/v2/batch/scrape" in (await client.get("/openapi.json")).json()["paths"]

    asyncio.run(ask())


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
