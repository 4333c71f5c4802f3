"""Teaching, weights, and labels in and out, by a real client."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.serve.endpoints.test_extraction import problem
from tests.serve.endpoints.test_project_pages import LINES, added, command, saved
from tests.train.harbour import timetable

import tamis
from tamis.labels import datasets
from tamis.project.taught import register_teaching

Server = Any


def ended(server: Server) -> dict[str, Any]:
    """The state of the teaching when it runs no more."""
    for _ in range(6000):  # so long only if something hangs
        state: dict[str, Any] = server.get("/v1/project/teach").json()
        if state["state"] != "running":
            return state
        time.sleep(0.1)
    raise AssertionError(state)


def with_timetables(server: Server, count: int) -> None:
    lines = "".join(datasets.json_line(timetable(number)) for number in range(count))
    response = server.client.post("/v1/project/labels", content=lines, headers=LINES)
    assert [json.loads(line)["state"] for line in response.text.splitlines()] == ["done"] * count


@pytest.fixture(scope="module")
def taught(serve: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose project was taught with twelve pages."""
    folder = tmp_path_factory.mktemp("taught") / "harbour"
    with serve(project=str(folder)) as server:
        with_timetables(server, 12)
        assert server.client.post("/v1/project/teach", content=b"").status_code == 202
        assert ended(server)["state"] == "done"
        yield server


@pytest.mark.parametrize("name", ["jsonl", "label-studio", "web-main-bench"])
def test_labels_go_out_and_come_in_again(taught: Server, tmp_path: Path, name: str) -> None:
    response = taught.get(f"/v1/project/labels?format={name}")
    assert "attachment" in response.headers["content-disposition"]
    path = tmp_path / ("labels.json" if name == "label-studio" else "labels.jsonl")
    path.write_bytes(response.content)
    examples = [*datasets.read(path)]
    assert [example.id for example in examples] == [f"day {number}" for number in range(12)]
    for number, example in enumerate(examples):
        assert example.text == timetable(number).text


def test_labels_of_others_are_not_overwritten_by_an_import(own: Server) -> None:
    page = timetable(1)
    entry = own.post("/v1/project/pages", html=page.html).json()
    saved(own, entry, changes={"0": "promotion"})
    line = datasets.json_line(page)
    response = own.client.post("/v1/project/labels", content=line * 2, headers=LINES)
    for answer in map(json.loads, response.text.splitlines()):
        assert answer["error"]["status"] == 409
        assert answer["error"]["conflicts"]["0"]["by"] == "ann"


def test_bad_lines_of_an_import_are_errors_in_their_place(own: Server) -> None:
    lines = ['{"id": "a"}', "{", '{"id": "b", "html": "<p>x"}', datasets.json_line(timetable(3))]
    response = own.client.post("/v1/project/labels", content="\n".join(lines), headers=LINES)
    answers = [json.loads(line) for line in response.text.splitlines()]
    details = [answer["error"]["detail"] for answer in answers[:3]]
    assert "'html' is missing" in details[0]
    assert "not valid JSON" in details[1]
    assert "neither 'blocks' nor 'text'" in details[2]
    assert answers[3]["state"] == "done"


def test_teaching_answers_whether_it_helped(taught: Server) -> None:
    state = taught.get("/v1/project/teach").json()
    report = state["report"]
    assert (state["share"], state["weights"], state["error"]) == (1, "taught-1", None)
    assert report["better"] and report["gain"] > 0.2 and report["pages"] == 12
    assert (report["sites"], report["by_site"]) == (6, True)
    overview = taught.get("/v1/project").json()
    (weights,) = overview["weights"]
    assert weights["name"] == "taught-1"
    assert (weights["before"], weights["after"]) == (report["before"], report["after"])
    assert overview["teaching"]["state"] == "done"


def test_weights_and_their_card_are_downloaded(taught: Server, tmp_path: Path) -> None:
    for suffix, path in ((".npz", "taught-1"), (".json", "taught-1/card")):
        response = taught.get(f"/v1/project/weights/{path}")
        assert f"taught-1{suffix}" in response.headers["content-disposition"]
        (tmp_path / f"down{suffix}").write_bytes(response.content)
    page = timetable(99)
    text = tamis.extract(page.html, parameters={"weights": str(tmp_path / "down.npz")}).text
    assert (page.text or "").splitlines()[0] in text
    assert json.loads((tmp_path / "down.json").read_text())["training_sets"]["harbour"]


def test_accepted_weights_are_the_method_of_api_and_commands(
    taught: Server, tmp_path: Path
) -> None:
    page = timetable(99)
    (tmp_path / "page.html").write_text(str(page.html))
    folder = str(taught.service.project.folder)
    wanted = (page.text or "").splitlines()[0]

    def by_api(**more: Any) -> str:
        answer = taught.post("/v1/extract", html=page.html, formats=["text"], **more).json()
        text: str = answer["text"]
        return text

    def by_command(*words: str) -> str:
        words = (*words, "--project", folder, str(tmp_path / "page.html"))
        run = subprocess.run(
            [sys.executable, "-m", "tamis", *words], capture_output=True, text=True
        )
        assert run.returncode == 0, run.stderr
        return run.stdout

    assert wanted not in by_api() and wanted not in by_command("extract")
    assert taught.post("/v1/project/accept", weights="taught-1").json() == {"accepted": "taught-1"}
    assert taught.get("/v1/project").json()["accepted"] == "taught-1"
    assert wanted in by_api() and wanted in by_command("extract")
    assert wanted in by_command("explain", "--kept")
    output = tmp_path / "rows"
    by_command("corpus", "--format", "jsonl", "--output", str(output))
    assert any(wanted in path.read_text("utf-8") for path in output.glob("*.jsonl"))
    assert wanted in by_api(options={"focus": "recall"})
    baseline = tamis.extract(str(page.html), method="baseline").text
    assert by_api(options={"method": "baseline"}) == baseline
    line = json.dumps({"html": page.html, "formats": ["text"]})
    assert wanted in taught.client.post("/v1/batch", content=line).json()["text"]
    taught.post("/v1/project/accept", weights=None)
    assert wanted not in by_api() and wanted not in by_command("extract")


def test_another_server_notices_what_was_accepted(
    taught: Server, serve: Callable[..., Any]
) -> None:
    page = timetable(99)
    wanted = (page.text or "").splitlines()[0]
    with serve(project=str(taught.service.project.folder)) as other:
        other.post("/v1/extract", html=page.html)
        taught.post("/v1/project/accept", weights="taught-1")
        for _ in range(6000):
            answer = other.post("/v1/extract", html=page.html, formats=["text"]).json()
            if wanted in answer["text"]:
                break
            time.sleep(0.1)
        assert wanted in answer["text"]
        taught.post("/v1/project/accept", weights=None)


def test_weights_are_compared_by_their_names(taught: Server) -> None:
    page = timetable(99)
    methods = [{"method": "tamis", "weights": name} for name in ("shipped", "project:taught-1")]
    answer = taught.post("/v1/compare", html=page.html, methods=[*methods, "tamis"]).json()
    shipped, own, usual = answer["results"]
    assert [each["name"] for each in (shipped, own, usual)] == [
        "tamis, shipped",
        "tamis, taught-1",
        "tamis",
    ]
    wanted = (page.text or "").splitlines()[0]
    assert wanted in own["text"] and wanted not in shipped["text"]
    assert usual["text"] == shipped["text"]
    taught.post("/v1/project/accept", weights="taught-1")
    answer = taught.post("/v1/compare", html=page.html, methods=["tamis", "baseline"]).json()
    assert answer["results"][0]["text"] == own["text"]
    taught.post("/v1/project/accept", weights=None)


@pytest.mark.parametrize(
    ("method", "weights", "status", "message"),
    [
        ("tamis", "project:none", 404, "there are: taught-1"),
        ("tamis", "/etc/passwd", 422, "give shipped or project:NAME"),
        ("cetd", "shipped", 422, "cetd has no weights"),
    ],
)
def test_wrong_weights_are_said(
    taught: Server, method: str, weights: str, status: int, message: str
) -> None:
    methods = ["baseline", {"method": method, "weights": weights}]
    response = taught.post("/v1/compare", html="<p>x", methods=methods)
    assert message in problem(response, status)


def test_open_pages_are_read_again_with_accepted_weights(own: Server) -> None:
    entry = added(own, "walls")
    with own.service.project.write() as connection:
        connection.execute("UPDATE pages SET close = 77")
    own.post("/v1/project/accept", weights=None)
    for _ in range(6000):
        (page,) = own.get("/v1/project/pages").json()["pages"]
        if page["close"] != 77:
            break
        time.sleep(0.1)
    assert page["close"] == entry["close"]


def test_teaching_needs_two_labelled_pages(own: Server) -> None:
    assert "label 2 more" in problem(own.post("/v1/project/teach"), 409)
    with_timetables(own, 1)
    assert "label 1 more" in problem(own.post("/v1/project/teach"), 409)
    assert own.get("/v1/project/teach").json()["state"] == "none"


def test_teaching_is_stopped_when_asked(own: Server) -> None:
    with_timetables(own, 4)
    assert own.post("/v1/project/teach").json()["state"] == "running"
    assert "runs already" in problem(own.post("/v1/project/teach"), 409)
    assert own.client.delete("/v1/project/teach").json()["state"] == "stopped"
    assert own.post("/v1/project/teach").status_code == 202
    assert ended(own)["state"] == "done"
    assert [weights["name"] for weights in own.get("/v1/project").json()["weights"]] == ["taught-1"]


def test_a_teaching_that_fails_says_why(own: Server) -> None:
    for topic in ("one", "two"):  # a page with a title alone teaches nothing
        entry = added(own, topic)
        changes = dict.fromkeys(map(str, range(entry["blocks"])), "title")
        saved(own, entry, changes=changes, state="done")
    own.post("/v1/project/teach")
    state = ended(own)
    assert state["state"] == "failed"
    assert "teaching needs two pages at least" in state["error"]


def test_without_lightgbm_it_is_said_what_to_install(
    own: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    import tamis._runtime.libraries

    monkeypatch.setattr(tamis._runtime.libraries, "find_spec", lambda module: None)
    assert "pip install 'tamis[train]'" in problem(own.post("/v1/project/teach"), 501)


def test_a_killed_server_leaves_a_teaching_that_was_interrupted(tmp_path: Path) -> None:
    process, address = command(tmp_path / "mine")
    try:
        with httpx.Client(base_url=address, timeout=300, trust_env=False) as client:
            lines = "".join(datasets.json_line(timetable(number)) for number in range(12))
            client.post("/v1/project/labels", content=lines, headers=LINES)
            assert client.post("/v1/project/teach", json={}).status_code == 202
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    process, address = command(tmp_path / "mine")
    try:
        for _ in range(6000):
            state = httpx.get(f"{address}/v1/project/teach", trust_env=False).json()
            if state["state"] != "running":
                break
            time.sleep(0.1)
    finally:
        process.terminate()
        process.communicate()
    assert state["state"] == "interrupted"


def test_a_process_that_is_silent_was_interrupted(own: Server) -> None:
    with_timetables(own, 2)
    database = own.service.project
    register_teaching(database, time.time() - 60)
    assert own.get("/v1/project/teach").json()["state"] == "interrupted"
    assert own.post("/v1/project/teach").status_code == 202
    assert ended(own)["state"] == "done"
