"""`/v1/project`: pages, labels of several people, teaching, by a real client."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.project.made import article
from tests.serve.endpoints.test_extraction import problem

from tamis.project.database import FILE, Database

Server = Any
LINES = {"Content-Type": "application/x-ndjson"}


@pytest.fixture(scope="module")
def mine(serve: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a project that the tests of this file add pages to."""
    folder = tmp_path_factory.mktemp("projects") / "mine"
    with serve(project=str(folder), allow_private=True) as server:
        yield server


def added(server: Server, topic: str, **more: Any) -> dict[str, Any]:
    response = server.post("/v1/project/pages", html=article(topic), **more)
    assert response.status_code == 201, response.text
    entry: dict[str, Any] = response.json()
    return entry


def saved(server: Server, entry: dict[str, Any], by: str = "ann", **more: Any) -> httpx.Response:
    change = {"version": 0, "hash": entry["hash"], "by": by, **more}
    response: httpx.Response = server.post(f"/v1/project/pages/{entry['id']}/labels", **change)
    return response


# Pages


def test_without_a_project_it_is_said_how_to_start_one(server: Server) -> None:
    for path in ("", "/pages", "/pages/1", "/pages/1/version", "/teach", "/labels", "/weights/a"):
        message = problem(server.get(f"/v1/project{path}"), 404)
        assert "tamis serve --project FOLDER" in message
    for path in ("/pages", "/labels", "/teach"):
        response = server.client.post(f"/v1/project{path}", json={"html": "<p>x"}, headers={})
        problem(response, 404 if path != "/teach" else 422)
    response = server.client.post("/v1/project/labels", content=b"{}", headers=LINES)
    problem(response, 404)


def test_a_page_is_added_once_and_listed(mine: Server) -> None:
    entry = added(mine, "walls", name="my walls")
    assert (entry["name"], entry["state"], entry["version"]) == ("my walls", "open", 0)
    again = mine.post("/v1/project/pages", html=article("walls"))
    assert (again.status_code, again.json()["id"]) == (200, entry["id"])
    listed = mine.get("/v1/project/pages?state=open&limit=1000").json()
    assert entry["id"] in [page["id"] for page in listed["pages"]]
    assert listed["total"] == len(listed["pages"])


def test_a_page_is_fetched_by_its_address(mine: Server, site: str) -> None:
    entry = mine.post("/v1/project/pages", url=f"{site}/walls").json()
    assert (entry["url"], entry["name"]) == (f"{site}/walls", f"{site}/walls")


def test_an_address_that_is_none_is_kept_as_it_is(mine: Server) -> None:
    entry = added(mine, "brackets", base_url="http://[::1")
    assert entry["url"] == "http://[::1"
    assert mine.get(f"/v1/project/pages/{entry['id']}").status_code == 200


def test_lines_of_pages_are_answered_in_order_with_errors_in_their_place(mine: Server) -> None:
    lines = [{"html": article("boats"), "name": "b"}, {"name": "none"}, {"html": article("nets")}]
    body = "\n".join(map(json.dumps, lines))
    response = mine.client.post("/v1/project/pages", content=body, headers=LINES)
    answers = [json.loads(line) for line in response.text.splitlines()]
    assert (answers[0]["name"], answers[2]["title"]) == ("b", "Nets")
    assert "neither html nor url" in answers[1]["error"]["detail"]
    assert answers[0]["id"] < answers[2]["id"]


def test_a_page_comes_with_its_labels_and_its_proposal(mine: Server) -> None:
    entry = added(mine, "lighthouses")
    saved(mine, entry, changes={"0": "promotion"})
    page = mine.get(f"/v1/project/pages/{entry['id']}").json()
    assert (page["labels"], page["version"], page["by"]) == ({"0": "promotion"}, 1, "ann")
    view = page["view"]
    assert view["hash"] == page["hash"] == entry["hash"]
    assert len(view["blocks"]) == entry["blocks"]
    assert view["blocks"][2]["label"] == "main"
    assert "data-tamis" in view["document"]
    bare = mine.get(f"/v1/project/pages/{entry['id']}?document=false").json()["view"]
    assert (bare["document"], bare["blocks"]) == (None, view["blocks"])
    shown = mine.get(f"/v1/project/pages/{entry['id']}?pictures=true").json()["view"]
    assert shown["pictures"] and shown["document"] != view["document"]
    response = mine.get(f"/v1/project/pages/{entry['id']}?picture=true")
    assert "did you mean 'pictures'" in problem(response, 422)


def test_a_changed_page_carries_its_labels_over(mine: Server) -> None:
    url = "https://field.example/paths"
    entry = added(mine, "paths", base_url=url)
    saved(mine, entry, changes={"0": "navigation", "2": "main"})
    changed = article("paths").replace("eleven years", "twelve years")
    response = mine.post("/v1/project/pages", html=changed, base_url=url)
    newer = response.json()
    assert response.status_code == 201
    assert (newer["replaces"], newer["carried"], newer["lost"]) == (entry["id"], 1, 1)
    labels = mine.get(f"/v1/project/pages/{newer['id']}/version").json()["labels"]
    assert labels == {"0": "navigation"}


# Labels


def test_two_clients_on_one_page_do_not_overwrite_each_other(mine: Server) -> None:
    entry = added(mine, "bridges")
    assert saved(mine, entry, "ann", changes={"0": "navigation"}).json()["merged"] is False
    merged = saved(mine, entry, "bob", changes={"2": "main"}).json()
    assert merged == {
        "version": 2,
        "state": "open",
        "labels": {"0": "navigation", "2": "main"},
        "by": "bob",
        "merged": True,
    }
    conflict = saved(mine, entry, "cy", changes={"0": "title", "1": "title"})
    assert "ann gave other labels" in problem(conflict, 409)
    document = conflict.json()
    assert document["conflicts"] == {"0": {"yours": "title", "theirs": "navigation", "by": "ann"}}
    assert (document["version"], document["labels"]) == (2, merged["labels"])
    forced = saved(mine, entry, "cy", changes={"0": "title", "1": "title"}, force=True).json()
    assert forced["labels"] == {"0": "title", "1": "title", "2": "main"}
    history = mine.get(f"/v1/project/pages/{entry['id']}/history").json()["changes"]
    assert [change["by"] for change in history] == ["ann", "bob", "cy"]


def test_done_gives_every_block_a_label(mine: Server) -> None:
    entry = added(mine, "rivers")
    answer = saved(mine, entry, changes={"3": "other"}, state="done").json()
    assert answer["state"] == "done"
    assert len(answer["labels"]) == entry["blocks"]
    assert (answer["labels"]["2"], answer["labels"]["3"]) == ("main", "other")


def test_labels_of_a_page_that_has_changed_are_refused(mine: Server) -> None:
    entry = added(mine, "springs")
    response = saved(mine, {**entry, "hash": "0" * 64}, changes={"0": "main"})
    assert "the page has changed" in problem(response, 409)
    assert response.json()["hash"] == entry["hash"]


def test_the_next_page_is_of_one_person(own: Server) -> None:
    first, second = (added(own, topic)["id"] for topic in ("ponds", "lakes"))
    assert own.post("/v1/project/next", by="ann").json() == {"id": first}
    assert own.post("/v1/project/next", by="bob", order="teaching").json() == {"id": second}
    assert own.post("/v1/project/next", by="cy").json() == {"id": None}
    listed = own.get("/v1/project/pages?order=teaching").json()["pages"]
    assert {page["claimed_by"] for page in listed} == {"ann", "bob"}


LABELS = "/v1/project/pages/1/labels"
WRONG = [
    ("/v1/project/pages", {}, 422, "neither html nor url"),
    ("/v1/project/pages", {"html": "a", "url": "b"}, 422, "both html and url"),
    ("/v1/project/pages", {"html": "a", "names": "b"}, 422, "did you mean 'name'"),
    ("/v1/project/pages", {"url": "ftp://x.example/"}, 422, "http"),
    ("/v1/project/pages", {"html": 3}, 422, "html is 3"),
    (LABELS, {}, 422, "'version' is missing"),
    (LABELS, {"version": 0, "hash": "", "by": "", "changes": {}}, 422, "by is ''"),
    (LABELS, {"version": -1, "hash": "", "by": "a"}, 422, "version is -1"),
    (
        LABELS,
        {"version": 0, "hash": "", "by": "a", "changes": {"x": "main"}},
        422,
        "not the number",
    ),
    (LABELS, {"version": 0, "hash": "", "by": "a", "changes": {"0": "mein"}}, 422, "main"),
    (LABELS, {"version": 0, "hash": "", "by": "a", "state": "finished"}, 422, "state"),
    ("/v1/project/pages/x/labels", {}, 404, "not the number of a page"),
    ("/v1/project/pages/99999/labels", {"version": 0, "hash": "", "by": "a"}, 404, "no page 99999"),
    ("/v1/project/next", {}, 422, "'by' is missing"),
    ("/v1/project/next", {"by": "a", "order": "random"}, 422, "order"),
    ("/v1/project/teach", {"coments": True}, 422, "did you mean 'comments'"),
    ("/v1/project/accept", {}, 422, "'weights' is missing"),
    ("/v1/project/accept", {"weights": "../../x"}, 404, "no weights are called"),
]


@pytest.mark.parametrize(("path", "body", "status", "message"), WRONG)
def test_bad_input_is_answered_clearly(
    mine: Server, path: str, body: dict[str, Any], status: int, message: str
) -> None:
    added_or_there = mine.post("/v1/project/pages", html=article("wrong"))
    assert added_or_there.status_code in (200, 201)
    assert message in problem(mine.client.post(path, json=body), status)


@pytest.mark.parametrize("path", sorted({path for path, *_ in WRONG} - {"/v1/project/pages/x"}))
def test_a_body_that_is_no_json_is_said(mine: Server, path: str) -> None:
    response = mine.client.post(path, content=b"{")
    assert response.status_code == (404 if "/x/" in path else 400), response.text


@pytest.mark.parametrize(
    ("path", "status", "message"),
    [
        ("/v1/project/pages?state=opn", 422, "did you mean 'open'"),
        ("/v1/project/pages?limit=0", 422, "limit"),
        ("/v1/project/pages?limt=1", 422, "did you mean 'limit'"),
        ("/v1/project/pages/0", 404, "no page 0"),
        ("/v1/project/pages/1.5/version", 404, "not the number of a page"),
        ("/v1/project/pages/99999999999999999999", 404, "not the number of a page"),
        ("/v1/project/labels?format=csv", 422, "no format 'csv'"),
        ("/v1/project/weights/none", 404, "there are: none yet"),
        ("/v1/project/weights/..%2fproject.sqlite3", 404, "Not Found"),
    ],
)
def test_a_wrong_address_is_answered_clearly(
    mine: Server, path: str, status: int, message: str
) -> None:
    assert message in problem(mine.get(path), status)


def test_a_page_over_a_limit_is_not_added(serve: Callable[..., Any], tmp_path: Path) -> None:
    with serve(project=str(tmp_path / "mine"), max_body=20_000) as server:
        response = server.post("/v1/project/pages", html=article("walls") + "x" * 30_000)
        assert "more than 20,000 bytes" in problem(response, 413)
        assert server.get("/v1/project").json()["pages"] == 0


def test_pages_of_other_sites_change_nothing(mine: Server) -> None:
    before = mine.get("/v1/project").json()["pages"]
    response = mine.client.post(
        "/v1/project/pages",
        json={"html": article("evil")},
        headers={"Origin": "https://evil.example"},
    )
    problem(response, 403)
    assert mine.get("/v1/project").json()["pages"] == before


def test_a_full_disk_is_status_507_and_nothing_is_lost(own: Server) -> None:
    entry = added(own, "walls")
    saved(own, entry, changes={"0": "navigation"})
    with own.service.project.read() as connection:
        size = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {size}")
    noise = article("noise", os.urandom(50_000).hex())
    assert "disk is full" in problem(own.post("/v1/project/pages", html=noise), 507)
    version = own.get(f"/v1/project/pages/{entry['id']}/version").json()
    assert version["labels"] == {"0": "navigation"}


def test_a_project_that_others_write_to_is_status_503(own: Server) -> None:
    import sqlite3

    entry = added(own, "walls")
    folder = own.service.project.folder
    with own.service.project.read() as connection:
        connection.execute("PRAGMA busy_timeout = 100")
    other = sqlite3.connect(folder / FILE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    response = saved(own, entry, changes={"0": "main"})
    assert "try again" in problem(response, 503)
    assert response.headers["retry-after"] == "1"
    other.execute("ROLLBACK")
    other.close()
    assert saved(own, entry, changes={"0": "main"}).status_code == 200


def test_a_folder_that_became_read_only_is_status_500_and_nothing_is_lost(own: Server) -> None:
    entry = added(own, "walls")
    with own.service.project.read() as connection:
        connection.execute("PRAGMA query_only = ON")
    assert "cannot be written" in problem(saved(own, entry, changes={"0": "main"}), 500)
    assert own.get("/v1/project/pages/1/version").json()["version"] == 0


# The folder


def command(folder: Path) -> tuple[subprocess.Popen[str], str]:
    """A server as people start it, and its address."""
    words = [sys.executable, "-m", "tamis", "serve", "--port", "0", "--workers", "1"]
    process = subprocess.Popen(
        [*words, "--project", str(folder)], stderr=subprocess.PIPE, text=True
    )
    assert process.stderr
    return process, process.stderr.readline().rpartition(" ")[2].strip()


def test_labels_survive_a_server_that_is_killed(tmp_path: Path) -> None:
    process, address = command(tmp_path / "mine")
    try:
        with httpx.Client(base_url=address, timeout=300, trust_env=False) as client:
            entry = client.post("/v1/project/pages", json={"html": article("walls")}).json()
            for block in range(3):
                change = {"version": block, "hash": entry["hash"], "by": "ann"}
                change |= {"changes": {str(block): "other"}}
                client.post("/v1/project/pages/1/labels", json=change).raise_for_status()
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    process, address = command(tmp_path / "mine")
    try:
        answer = httpx.get(f"{address}/v1/project/pages/1/version", trust_env=False).json()
    finally:
        process.terminate()
        process.communicate()
    assert (answer["version"], answer["labels"]) == (3, dict.fromkeys("012", "other"))


def test_two_servers_of_one_folder_see_the_same(serve: Callable[..., Any], tmp_path: Path) -> None:
    folder = str(tmp_path / "mine")
    with serve(project=folder) as one, serve(project=folder) as other:
        entry = added(one, "walls")
        assert saved(one, entry, "ann", changes={"0": "navigation"}).status_code == 200
        problem(saved(other, entry, "bob", changes={"0": "title"}), 409)
        assert saved(other, entry, "bob", changes={"1": "title"}).json()["merged"]
        labels = one.get("/v1/project/pages/1/version").json()["labels"]
        assert labels == {"0": "navigation", "1": "title"}


def test_a_folder_that_cannot_be_a_project_ends_the_command(tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "letter.txt").write_text("dear")
    with Database(tmp_path / "newer") as database, database.write() as connection:
        connection.execute("PRAGMA user_version = 2")
    messages = {"letters": "it is not a project", "newer": "made by a newer tamis"}
    for name, message in messages.items():
        words = ["serve", "--port", "0", "--project", str(tmp_path / name)]
        run = subprocess.run(
            [sys.executable, "-m", "tamis", *words], capture_output=True, text=True
        )
        assert run.returncode == 2
        assert message in run.stderr


# The document


def test_every_endpoint_of_a_project_is_documented_with_an_example(mine: Server) -> None:
    document = mine.get("/openapi.json").json()
    paths = {path: each for path, each in document["paths"].items() if "/project" in path}
    assert len(paths) == 12
    for path, operations in paths.items():
        for method, operation in operations.items():
            assert operation["summary"], path
            status = next(code for code in operation["responses"] if code.startswith("2"))
            content = operation["responses"][status]["content"]
            assert any("example" in media for media in content.values()), (path, method)
            assert "default" in operation["responses"]
            named = {each["name"] for each in operation.get("parameters", ())}
            assert all(f"{{{name}}}" not in path or name in named for name in ("id", "name"))
