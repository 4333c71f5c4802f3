"""Clients of other services: Jina's reader, and Firecrawl's own Python client."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest
from firecrawl import Firecrawl
from firecrawl.v2.utils.error_handler import FirecrawlError
from tests import needs

Server = Any


# As Jina's reader


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
    assert "no CSS selector" in wrong.json()["detail"]


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
    assert "there is no address" in server.get("/r/").json()["detail"]
    assert server.get("/r/nowhere.invalid/page").json()["detail"].startswith("https://nowhere")


# As Firecrawl


@pytest.fixture(scope="module")
def firecrawl(server: Server) -> Firecrawl:
    """Their client, with another address and nothing else."""
    return Firecrawl(api_key="any", api_url=server.address)


def test_their_client_gets_markdown(firecrawl: Firecrawl, site: str) -> None:
    document = firecrawl.scrape(f"{site}/walls")
    assert document.markdown
    assert "built without mortar" in document.markdown
    assert "Imprint" not in document.markdown
    assert document.metadata
    assert document.metadata.title == "Dry stone walls"
    assert document.metadata.description == "How walls without mortar are built."
    assert document.metadata.language == "en"
    assert document.metadata.source_url == f"{site}/walls"
    assert document.metadata.status_code == 200


def test_their_client_gets_all_formats(firecrawl: Firecrawl, site: str) -> None:
    document = firecrawl.scrape(
        f"{site}/walls", formats=["markdown", "html", "rawHtml", "links"], only_main_content=True
    )
    assert document.html
    assert "<nav" not in document.html
    assert document.raw_html
    assert "<nav" in document.raw_html
    assert document.links
    assert f"{site}/tools" in document.links


def test_their_client_gets_the_whole_page(firecrawl: Firecrawl, site: str) -> None:
    document = firecrawl.scrape(f"{site}/walls", only_main_content=False)
    assert document.markdown
    assert "Imprint" in document.markdown


def test_their_client_chooses_parts(firecrawl: Firecrawl, site: str) -> None:
    document = firecrawl.scrape(
        f"{site}/walls", include_tags=["article"], exclude_tags=[".share", ".byline"]
    )
    assert document.markdown
    assert "patience" in document.markdown
    assert "Share" not in document.markdown
    assert "Hedges" not in document.markdown


def test_what_is_not_known_does_not_break_their_client(firecrawl: Firecrawl, site: str) -> None:
    document = firecrawl.scrape(
        f"{site}/walls",
        formats=["markdown", "screenshot", "summary"],
        mobile=True,
        wait_for=100,
        max_age=1000,
        block_ads=True,
        headers={"X-Any": "thing"},
        skip_tls_verification=False,
        timeout=20_000,
    )
    assert document.markdown
    assert document.warning == "not made here: screenshot, summary"


def test_their_client_understands_the_errors(firecrawl: Firecrawl, serve: Any, site: str) -> None:
    with pytest.raises(FirecrawlError, match="image/png is not a web page"):
        firecrawl.scrape(f"{site}/picture")
    with serve() as guarded:
        client = Firecrawl(api_key="any", api_url=guarded.address)
        with pytest.raises(FirecrawlError, match="not a public address"):
            client.scrape(f"{site}/walls")


def test_their_client_sends_its_key_as_the_token(serve: Any, site: str) -> None:
    with serve(token="a-key", allow_private=True) as guarded:
        client = Firecrawl(api_key="a-key", api_url=guarded.address)
        assert client.scrape(f"{site}/walls").markdown
        with pytest.raises(FirecrawlError, match="needs its token"):
            Firecrawl(api_key="another", api_url=guarded.address).scrape(f"{site}/walls")


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
