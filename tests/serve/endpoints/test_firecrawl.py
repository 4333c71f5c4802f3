"""Firecrawl's own Python client, with another address and nothing else."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from firecrawl import AsyncFirecrawl, AsyncV1FirecrawlApp, Firecrawl, V1FirecrawlApp
from firecrawl.v2.types import PaginationConfig
from firecrawl.v2.utils.error_handler import FirecrawlError
from firecrawl.v2.watcher import Watcher
from tests.serve.conftest import Site
from tests.servers import serving

from tamis.serve import scrape_jobs
from tamis.serve.settings import ServeSettings

# Their v1 client calls deprecated functions of pydantic, and warns of calls of its own.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

Server = Any
GUIDE = Path(__file__).parents[3] / "docs" / "how-to" / "service.md"


def until(condition: Callable[[], object]) -> None:
    """Wait for something that must happen; the time limit is for what is broken."""
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


@contextmanager
def slow_site() -> Iterator[tuple[str, threading.Event]]:
    """A site whose addresses below /slow answer when the event is set."""
    opened = threading.Event()

    class Slow(Site):
        def do_GET(self) -> None:
            if self.path.startswith("/slow"):
                opened.wait(60)
            super().do_GET()

    with serving(Slow) as address:
        try:
            yield address, opened
        finally:
            opened.set()


@pytest.fixture(scope="module")
def server(serve: Any) -> Iterator[Server]:
    """A service of their own, since jobs go on when a test has ended."""
    with serve(workers=2, allow_private=True) as service:
        yield service


# Scrape


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


@pytest.mark.parametrize("path", ["/json-ld", "/state"])
def test_chosen_parts_win_over_the_data_of_a_page(
    firecrawl: Firecrawl, site: str, path: str
) -> None:
    def scrape(**choice: Any) -> str:
        return firecrawl.scrape(f"{site}{path}", **choice).markdown or ""

    assert "Course 30 of the wall" in scrape()
    assert scrape(include_tags=["h1"]) == "# The wall"
    assert "Course" not in scrape(exclude_tags=[".body"])


# Batch scrape


def test_a_batch_scrape_gives_all_documents_in_order(firecrawl: Firecrawl, site: str) -> None:
    urls = [f"{site}/walls?{number}" for number in range(12)]
    job = firecrawl.batch_scrape([*urls, f"{site}/missing"], formats=["html"], poll_interval=0)
    assert (job.status, job.completed, job.total) == ("completed", 13, 13)
    assert [document.metadata.source_url for document in job.data if document.metadata] == urls
    assert all("built without mortar" in (document.html or "") for document in job.data)
    assert job.expires_at
    assert 3000 < (job.expires_at - datetime.now(UTC)).total_seconds() <= 3600


def test_a_batch_scrape_is_started_watched_and_asked_for_its_errors(
    firecrawl: Firecrawl, server: Server, site: str
) -> None:
    started = firecrawl.start_batch_scrape([f"{site}/walls", f"{site}/picture"])
    assert started.url == f"{server.address}/v2/batch/scrape/{started.id}"
    until(lambda: firecrawl.get_batch_scrape_status(started.id).status == "completed")
    (document,) = firecrawl.get_batch_scrape_status(started.id).data
    assert document.metadata
    assert document.metadata.title == "Dry stone walls"
    (error,) = firecrawl.get_batch_scrape_errors(started.id).errors
    assert error.url == f"{site}/picture"
    assert "image/png is not a web page" in error.error
    seen: list[Any] = []
    watcher = firecrawl.watcher(started.id, kind="batch", poll_interval=1)
    watcher.add_listener(seen.append)
    watcher.start()
    until(lambda: seen)
    watcher.stop()
    assert seen[-1].status == "completed"


def test_a_batch_scrape_is_cancelled(serve: Any) -> None:
    with slow_site() as (site, opened), serve(allow_private=True) as server:
        client = Firecrawl(api_key="any", api_url=server.address)
        started = client.start_batch_scrape(
            [f"{site}/walls", *(f"{site}/slow/{number}" for number in range(20))]
        )
        until(lambda: client.get_batch_scrape_status(started.id).data)
        assert client.get_batch_scrape_status(started.id).status == "scraping"
        assert client.cancel_batch_scrape(started.id)
        job = client.get_batch_scrape_status(started.id)
        assert (job.status, job.completed, job.total) == ("cancelled", 1, 21)
        assert len(job.data) == 1
        with pytest.raises(FirecrawlError, match="has ended already; it is cancelled"):
            client.cancel_batch_scrape(started.id)
        opened.set()


def test_documents_come_in_parts_if_they_are_many(
    firecrawl: Firecrawl, site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    urls = [f"{site}/walls?{number}" for number in range(5)]
    whole = firecrawl.batch_scrape(urls, poll_interval=0).data
    monkeypatch.setattr(scrape_jobs, "PAGE_BYTES", 2 * len(whole[0].markdown or ""))
    started = firecrawl.start_batch_scrape(urls)
    until(lambda: firecrawl.get_batch_scrape_status(started.id).status == "completed")
    assert len(firecrawl.get_batch_scrape_status(started.id).data) == 5
    first = firecrawl.get_batch_scrape_status(started.id, PaginationConfig(auto_paginate=False))
    assert 1 <= len(first.data) < 5
    assert first.next
    second = firecrawl.get_batch_scrape_status_page(first.next)
    assert second.data[0].metadata
    assert second.data[0].metadata.source_url == urls[len(first.data)]


def test_a_part_has_as_many_documents_as_are_asked_for(server: Server, site: str) -> None:
    name = server.post("/v2/batch/scrape", urls=[f"{site}/walls"] * 5).json()["id"]
    path = f"/v2/batch/scrape/{name}"
    until(lambda: server.get(path).json()["status"] == "completed")
    part = server.get(f"{path}?limit=2").json()
    assert len(part["data"]) == 2
    assert part["next"] == f"{server.address}{path}?skip=2&limit=2"
    assert "next" not in server.get(f"{path}?skip=3").json()
    assert server.get(f"{path}?skip=9").json()["data"] == []
    assert "skip is 'x'" in server.get(f"{path}?skip=x").json()["error"]


def test_invalid_urls_are_named_or_an_error(firecrawl: Firecrawl, site: str) -> None:
    urls = [f"{site}/walls", "http://[::1", "https://"]
    for choice in ({}, {"ignore_invalid_urls": True}):
        started = firecrawl.start_batch_scrape(urls, **choice)
        assert started.invalid_urls == urls[1:]
        until(lambda name=started.id: firecrawl.get_batch_scrape_status(name).total == 1)
    with pytest.raises(FirecrawlError, match="not a valid address"):
        firecrawl.start_batch_scrape(urls, ignore_invalid_urls=False)
    with pytest.raises(FirecrawlError, match="no host name"):
        firecrawl.start_batch_scrape(["https://"])


def test_urls_are_appended_to_a_job_that_runs(serve: Any) -> None:
    with slow_site() as (site, opened), serve(allow_private=True, max_job_urls=3) as server:
        client = Firecrawl(api_key="any", api_url=server.address)
        name = client.start_batch_scrape([f"{site}/slow"]).id
        assert client.start_batch_scrape([f"{site}/walls"], append_to_id=name).id == name
        with pytest.raises(FirecrawlError, match="at most 3 URLs"):
            client.start_batch_scrape([f"{site}/a", f"{site}/b"], append_to_id=name)
        opened.set()
        until(lambda: client.get_batch_scrape_status(name).status == "completed")
        assert len(client.get_batch_scrape_status(name).data) == 2
        with pytest.raises(FirecrawlError, match="the job has ended"):
            client.start_batch_scrape([f"{site}/walls"], append_to_id=name)


def test_what_a_batch_scrape_cannot_do_is_said(firecrawl: Firecrawl, site: str) -> None:
    with pytest.raises(FirecrawlError, match="webhooks are not sent"):
        firecrawl.start_batch_scrape([f"{site}/walls"], webhook="https://a.example/")
    for call in (
        firecrawl.get_batch_scrape_status,
        firecrawl.get_batch_scrape_errors,
        firecrawl.cancel_batch_scrape,
    ):
        with pytest.raises(FirecrawlError, match="there is no such job"):
            call("0c2b8d2e-6a39-4f0e-9d57-1f3f7a1c8e55")


# Every call that the guide lists


def batch_name(client: Firecrawl, site: str) -> str:
    return str(client.start_batch_scrape([f"{site}/walls"]).id)


def v1_batch_name(client: Any, site: str) -> str:
    return str(client.async_batch_scrape_urls([f"{site}/walls"]).id)


V2: dict[str, Callable[[Firecrawl, str], Any]] = {
    "scrape": lambda client, site: client.scrape(f"{site}/walls").markdown,
    "batch_scrape": lambda client, site: (
        client.batch_scrape([f"{site}/walls"], poll_interval=0).data
    ),
    "start_batch_scrape": lambda client, site: client.start_batch_scrape([f"{site}/walls"]).id,
    "get_batch_scrape_status": lambda client, site: (
        client.get_batch_scrape_status(batch_name(client, site)).total
    ),
    "get_batch_scrape_status_page": lambda client, site: (
        client.get_batch_scrape_status_page(
            f"/v2/batch/scrape/{batch_name(client, site)}?skip=0"
        ).total
    ),
    "get_batch_scrape_errors": lambda client, site: (
        client.get_batch_scrape_errors(batch_name(client, site)).errors == []
    ),
    "cancel_batch_scrape": lambda client, site: client.cancel_batch_scrape(
        client.start_batch_scrape([f"{site}/walls"] * 1000).id
    ),
    "watcher": lambda client, site: isinstance(
        client.watcher(batch_name(client, site), kind="batch"), Watcher
    ),
}
V1: dict[str, Callable[[Any, str], Any]] = {
    "scrape_url": lambda client, site: client.scrape_url(f"{site}/walls").markdown,
    "batch_scrape_urls": lambda client, site: client.batch_scrape_urls([f"{site}/walls"]).data,
    "async_batch_scrape_urls": lambda client, site: (
        client.async_batch_scrape_urls([f"{site}/walls"]).id
    ),
    "check_batch_scrape_status": lambda client, site: (
        client.check_batch_scrape_status(v1_batch_name(client, site)).total
    ),
    "check_batch_scrape_errors": lambda client, site: (
        client.check_batch_scrape_errors(v1_batch_name(client, site)).errors == []
    ),
}


def listed(row: str) -> set[str]:
    """The calls of a row of the table in the guide."""
    line = re.search(rf"^\| {re.escape(row)} \| (.*) \|$", GUIDE.read_text("utf-8"), re.M)
    assert line
    return set(re.findall(r"`(\w+)`", line[1]))


def test_the_guide_lists_the_calls_that_are_tested() -> None:
    assert listed("`Firecrawl`, `AsyncFirecrawl`") == set(V2)
    assert listed("`V1FirecrawlApp`, `AsyncV1FirecrawlApp`") == set(V1)


def test_the_guide_has_the_limits_of_batch_scrapes() -> None:
    text, usual = GUIDE.read_text("utf-8"), ServeSettings()
    assert f"| `max_jobs` | {usual.max_jobs} |" in text
    assert f"| `max_job_urls` | {usual.max_job_urls} |" in text
    assert f"| `max_job_bytes` | {usual.max_job_bytes >> 20} MB |" in text
    assert f"| `max_job_seconds` | {usual.max_job_seconds / 3600:g} hour |" in text


@pytest.mark.parametrize("name", V2)
def test_a_listed_call_works(firecrawl: Firecrawl, site: str, name: str) -> None:
    assert V2[name](firecrawl, site)


@pytest.mark.parametrize("name", V1)
def test_a_listed_call_of_v1_works(server: Server, site: str, name: str) -> None:
    assert V1[name](V1FirecrawlApp(api_key="any", api_url=server.address), site)


def test_a_v1_document_has_the_fields_of_v1(server: Server, site: str) -> None:
    client = V1FirecrawlApp(api_key="any", api_url=server.address)
    document = client.scrape_url(
        f"{site}/walls", formats=["markdown", "rawHtml", "links", "screenshot"], timeout=20_000
    )
    assert "<nav>" in document.rawHtml
    assert f"{site}/tools" in document.links
    assert document.metadata["sourceURL"] == f"{site}/walls"
    assert document.warning == "not made here: screenshot"
    with pytest.raises(Exception, match="image/png is not a web page"):
        client.scrape_url(f"{site}/picture")
    with pytest.raises(Exception, match="not a valid address"):
        client.async_batch_scrape_urls([f"{site}/walls", "http://[::1"])


def test_the_listed_calls_work_with_await(server: Server, site: str) -> None:
    urls = [f"{site}/walls", f"{site}/missing"]

    async def use_v2() -> None:
        client = AsyncFirecrawl(api_key="any", api_url=server.address)
        assert (await client.scrape(urls[0])).markdown
        assert len((await client.batch_scrape(urls, poll_interval=0)).data) == 1
        name = (await client.start_batch_scrape(urls)).id
        while (status := await client.get_batch_scrape_status(name)).status == "scraping":
            await asyncio.sleep(0.01)
        assert (status.status, status.completed) == ("completed", 2)
        page = await client.get_batch_scrape_status_page(f"/v2/batch/scrape/{name}")
        assert len(page.data) == 1
        assert (await client.get_batch_scrape_errors(name))["errors"][0]["url"] == urls[1]
        assert await client.cancel_batch_scrape((await client.start_batch_scrape(urls * 400)).id)
        with pytest.raises(FirecrawlError, match="tamis does not support POST /v2/map"):
            await client.map(site)

    async def use_v1() -> None:
        client = AsyncV1FirecrawlApp(api_key="any", api_url=server.address)
        assert (await client.scrape_url(urls[0])).markdown
        assert len((await client.batch_scrape_urls(urls)).data) == 1
        name = (await client.async_batch_scrape_urls(urls)).id
        assert (await client.check_batch_scrape_status(name)).total == 2
        assert (await client.check_batch_scrape_errors(name))["robotsBlocked"] == []
        with pytest.raises(Exception, match="tamis does not support POST /v1/map"):
            await client.map_url(site)

    async def use_both() -> None:
        await asyncio.gather(use_v2(), use_v1())

    asyncio.run(use_both())


# Calls that are not supported

UNSUPPORTED: dict[str, tuple[Any, ...]] = {
    "crawl": ("https://a.example",),
    "start_crawl": ("https://a.example",),
    "get_crawl_status": ("name",),
    "get_crawl_errors": ("name",),
    "cancel_crawl": ("name",),
    "get_active_crawls": (),
    "crawl_params_preview": ("https://a.example", "all"),
    "map": ("https://a.example",),
    "search": ("walls",),
    "get_extract_status": ("name",),
    "get_concurrency": (),
    "get_credit_usage": (),
    "get_token_usage": (),
    "get_queue_status": (),
}
UNSUPPORTED_V1: dict[str, tuple[Any, ...]] = {
    "crawl_url": ("https://a.example",),
    "async_crawl_url": ("https://a.example",),
    "check_crawl_status": ("name",),
    "check_crawl_errors": ("name",),
    "cancel_crawl": ("name",),
    "map_url": ("https://a.example",),
    "search": ("walls",),
    "get_extract_status": ("name",),
    "get_credit_usage": (),
}
CLEAR = r"tamis does not support \w+ /v\d/.*it supports scrape and batch scrape"


@pytest.mark.parametrize("name", UNSUPPORTED)
def test_another_call_says_what_is_supported(firecrawl: Firecrawl, name: str) -> None:
    with pytest.raises(FirecrawlError, match=CLEAR) as raised:
        getattr(firecrawl, name)(*UNSUPPORTED[name])
    assert raised.value.status_code == 501


@pytest.mark.parametrize("name", UNSUPPORTED_V1)
def test_another_call_of_v1_says_what_is_supported(server: Server, name: str) -> None:
    client = V1FirecrawlApp(api_key="any", api_url=server.address)
    with pytest.raises(Exception, match=CLEAR):
        getattr(client, name)(*UNSUPPORTED_V1[name])


def test_their_extract_is_told_apart_from_ours(server: Server, firecrawl: Firecrawl) -> None:
    urls = ["https://a.example"]
    with pytest.raises(FirecrawlError, match=CLEAR):
        firecrawl.extract(urls, prompt="All of it")
    with pytest.raises(ValueError, match=CLEAR):
        V1FirecrawlApp(api_key="any", api_url=server.address).extract(urls, prompt="All of it")
    ours = server.post("/v1/extract", html="<p>x", urls=7, formats=["text"])
    assert ours.status_code == 501
    assert server.post("/v1/extract", html='<p>"urls"').status_code == 200
