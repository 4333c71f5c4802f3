"""What is asked of Jina's reader, and curl."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest
from tests import needs

Server = Any


def test_the_reader_begins_with_lines_about_the_page(server: Server, site: str) -> None:
    response = server.get(f"/r/{site}/walls")
    assert response.headers["content-type"] == "text/plain; charset=utf-8"
    title, source, date, content = response.text.split("\n\n", 3)
    assert title == "Title: Dry stone walls"
    assert source == f"URL Source: {site}/walls"
    assert date == "Published Time: 2026-03-04"
    assert content.startswith("Markdown Content:\n")
    assert f"[The tools]({site}/tools)" in content


@pytest.mark.parametrize(
    ("headers", "kind", "begin"),
    [
        ({"Accept": "text/markdown"}, "text/markdown", "# Dry stone walls"),
        ({"X-Respond-With": "markdown"}, "text/markdown", "# Dry stone walls"),
        ({"X-Respond-With": "text"}, "text/plain", "Dry stone walls\n"),
        ({"X-Return-Format": "html"}, "text/html", "<"),
        ({"Accept": "*/*"}, "text/plain", "Title: Dry stone walls"),
        ({"X-Respond-With": "screenshot"}, "text/plain", "Title: Dry stone walls"),
    ],
)
def test_headers_choose_the_form(
    server: Server, site: str, headers: dict[str, str], kind: str, begin: str
) -> None:
    response = server.client.get(f"/r/{site}/walls", headers=headers)
    assert response.headers["content-type"].partition(";")[0] == kind
    assert begin in response.text[:60]


def test_the_reader_gives_json(server: Server, site: str) -> None:
    answer = server.get(f"/r/{site}/walls", Accept="application/json").json()
    assert (answer["code"], answer["status"]) == (200, 20000)
    data = answer["data"]
    assert data["title"] == "Dry stone walls"
    assert data["description"] == "How walls without mortar are built."
    assert data["url"] == f"{site}/walls"
    assert data["publishedTime"] == "2026-03-04"
    assert data["usage"]["tokens"] > 100
    assert "mortar" in data["content"]
    html = server.get(f"/r/{site}/walls", Accept="application/json", X_Respond_With="html").json()
    assert "<p>" in html["data"]["html"]


def test_selectors_choose_the_parts(server: Server, site: str) -> None:
    only = server.get(f"/r/{site}/walls", X_Target_Selector="aside, .share", Accept="text/markdown")
    assert "Related" in only.text
    assert "Share this" in only.text
    assert "mortar" not in only.text
    without = server.get(f"/r/{site}/walls", X_Remove_Selector="p.second", Accept="text/markdown")
    assert "mortar" in without.text
    assert "patience" not in without.text
    wrong = server.get(f"/r/{site}/walls", X_Target_Selector="p[")
    assert wrong.status_code == 422
    assert "not valid CSS" in wrong.json()["detail"]


def test_links_and_images_can_be_left_out(server: Server, site: str) -> None:
    response = server.get(f"/r/{site}/walls", X_Retain_Links="none", X_Retain_Images="none")
    assert "](" not in response.text
    assert "The tools" in response.text


def test_a_budget_of_tokens_is_kept(server: Server, site: str) -> None:
    assert server.get(f"/r/{site}/walls", X_Token_Budget="100000").status_code == 200
    response = server.get(f"/r/{site}/walls", X_Token_Budget="10")
    assert response.status_code == 422
    assert "more than the budget of 10" in response.json()["detail"]
    wrong = server.get(f"/r/{site}/walls", X_Token_Budget="many")
    assert "x-token-budget is 'many'" in wrong.json()["detail"]


def test_a_time_is_kept(server: Server, site: str) -> None:
    assert server.get(f"/r/{site}/walls", X_Timeout="10").status_code == 200
    response = server.get(f"/r/{site}/walls", X_Timeout="0.000001")
    assert response.status_code in (422, 502)
    assert server.get(f"/r/{site}/walls", X_Timeout="-1").status_code == 422


def test_the_address_keeps_its_query_and_its_slashes(server: Server, site: str) -> None:
    response = server.get(f"/r/{site}/query?a=1&b=%20x")
    assert "/query?a=1&b=%20x" in response.text.replace("\\", "")
    assert f"URL Source: {site}/query?a=1&b=%20x" in response.text
    host = site.removeprefix("http://")
    assert server.get(f"/r/http:/{host}/walls").status_code == 200
    assert server.get(f"/r/http%3A%2F%2F{host}/walls").status_code == 200
    assert "the address is missing" in server.get("/r/").json()["detail"]
    assert server.get("/r/nowhere.invalid/page").json()["detail"].startswith("https://nowhere")


@pytest.mark.parametrize("path", ["/json-ld", "/state"])
def test_selectors_win_over_the_data_of_a_page(server: Server, site: str, path: str) -> None:
    markdown = {"Accept": "text/markdown"}
    whole = server.get(f"/r/{site}{path}", **markdown).text
    assert "Course 30 of the wall" in whole
    only = server.get(f"/r/{site}{path}", X_Target_Selector="h1", **markdown)
    assert only.text == "# The wall"
    without = server.get(f"/r/{site}{path}", X_Remove_Selector=".body", **markdown)
    assert "Course" not in without.text


@pytest.mark.parametrize("path", ["/json-ld/shell", "/state/shell"])
def test_what_only_the_data_of_a_page_has_is_read_unless_something_is_chosen(
    server: Server, site: str, path: str
) -> None:
    without = server.get(f"/r/{site}{path}", X_Remove_Selector=".share")
    assert "Course 30 of the wall" in without.text
    only = server.get(f"/r/{site}{path}", X_Target_Selector="h1", Accept="text/markdown")
    assert only.text == "# The wall"


# Sent to Jina's reader


def test_an_address_is_sent_as_json_or_as_a_form(server: Server, site: str) -> None:
    read = server.get(f"/r/{site}/walls").text
    assert read.startswith("Title: Dry stone walls")
    assert server.post("/r/", url=f"{site}/walls").text == read
    assert server.client.post("/r/", data={"url": f"{site}/walls"}).text == read
    # What curl -d calls a form, whatever it is.
    content = json.dumps({"url": f"{site}/walls"})
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    assert server.client.post("/r/", content=content, headers=form).text == read
    assert server.client.post(f"/r/{site}/walls").text == read
    assert server.post("/r/", url=f"{site.removeprefix('http://')}/walls").status_code == 502


def test_a_page_is_sent_as_json_or_as_a_form(server: Server, page: str) -> None:
    sent = server.post("/r/", html=page, url="https://field.example/walls")
    assert "URL Source: https://field.example/walls" in sent.text
    assert "[The tools](https://field.example/tools)" in sent.text
    assert server.client.post("/r/", data={"html": page}).text.startswith("Title: Dry stone walls")
    alone = server.post("/r/", html=page).text
    assert "Title: Dry stone walls\n\nPublished Time:" in alone
    assert "built without mortar" in alone


def test_what_is_sent_is_read_with_the_same_headers(server: Server, site: str) -> None:
    headers = {"X-Target-Selector": "aside", "Accept": "text/markdown"}
    answer = server.client.post("/r/", json={"url": f"{site}/walls"}, headers=headers)
    assert answer.text.startswith("## Related")
    fields = {"targetSelector": ["aside", ".share"], "respondWith": "text", "retainLinks": "none"}
    chosen = server.post("/r/", url=f"{site}/walls", **fields)
    assert chosen.text.startswith("Share this")
    assert "Related" in chosen.text
    assert server.post("/r/", url=f"{site}/walls", removeSelector="p").status_code == 200
    small = server.post("/r/", url=f"{site}/walls", tokenBudget=10)
    assert "more than the budget of 10" in small.json()["detail"]
    late = server.post("/r/", url=f"{site}/walls", timeout=0)
    assert "timeout is '0.0'; give a number above 0" in late.json()["detail"]


def test_what_was_sent_wrong_is_said(server: Server) -> None:
    def problem(body: bytes) -> str:
        answer = server.client.post("/r/", content=body)
        assert answer.status_code in (400, 422)
        return str(answer.json()["detail"])

    assert "send url or html" in problem(b"")
    assert "send url or html" in problem(b"{}")
    assert "not valid JSON" in problem(b'{"url": ')
    assert "url is 7" in problem(b'{"url": 7}')
    assert "the form cannot be read" in problem(b"&".join([b"a=1"] * 200))


# curl


@needs.curl
def test_curl_is_a_client(server: Server, site: str) -> None:
    def curl(*words: str) -> str:
        command = ["curl", "--silent", "--noproxy", "*", *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    assert "Title: Dry stone walls" in curl(f"{server.address}/r/{site}/walls")
    sent = curl(f"{server.address}/v1/extract", "--data", '{"html": "<p>x", "formats": ["text"]}')
    assert sent == '{"url":null,"method":"tamis","text":"x"}'
    lines = "".join('{"html": "<p>x"}\n' for _ in range(300))
    batch = subprocess.run(
        ["curl", "--silent", "--noproxy", "*", "--data-binary", "@-", f"{server.address}/v1/batch"],
        input=lines,
        capture_output=True,
        text=True,
        check=True,
    )
    assert len(batch.stdout.splitlines()) == 300
