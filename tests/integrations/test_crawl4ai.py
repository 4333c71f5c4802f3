"""The filter and the Markdown strategy in a crawler of crawl4ai, over HTTP, without a browser."""

from __future__ import annotations

import asyncio
import os
import tempfile
from http.server import BaseHTTPRequestHandler
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.integrations.examples import ROOT, examples, run_example
from tests.servers import serving

# It keeps a data base in the home folder, from the first import on.
if find_spec("crawl4ai"):
    os.environ["CRAWL4_AI_BASE_DIRECTORY"] = tempfile.mkdtemp()
pytest.importorskip("crawl4ai", reason="needs tamis[crawl4ai]: make integrations")

from crawl4ai import AsyncWebCrawler, CacheMode, CrawlerRunConfig, DefaultMarkdownGenerator
from crawl4ai.async_crawler_strategy import AsyncHTTPCrawlerStrategy

import tamis
from tamis.integrations.crawl4ai import TamisFilter, TamisMarkdown

NEWS = (ROOT / "examples" / "news.html").read_bytes()


class Site(BaseHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Keep the test output clean."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(NEWS)


def crawl(generator: Any) -> tuple[str, Any]:
    """The address of a page that was crawled, and what crawl4ai has of it."""

    async def run(address: str) -> Any:
        strategy = AsyncHTTPCrawlerStrategy()
        async with AsyncWebCrawler(crawler_strategy=strategy, verbose=False) as crawler:
            config = CrawlerRunConfig(
                markdown_generator=generator, cache_mode=CacheMode.BYPASS, verbose=False
            )
            return await crawler.arun(address, config=config)

    with serving(Site) as address:
        return f"{address}/news", asyncio.run(run(f"{address}/news"))


def crawl_markdown(generator: Any) -> tuple[str, Any]:
    """The address of a page, and the Markdown of it."""
    address, result = crawl(generator)
    assert result.success, result.error_message
    return address, result.markdown


def test_the_strategy_writes_the_page_and_its_content() -> None:
    address, markdown = crawl_markdown(TamisMarkdown(images=False))
    expected = tamis.extract(NEWS, url=address, images=False)
    assert markdown.fit_markdown == expected.markdown
    assert markdown.fit_html == expected.html
    assert markdown.raw_markdown == tamis.to_markdown(NEWS, url=address, images=False)
    assert "We and our partners use cookies" in markdown.raw_markdown
    assert "We and our partners use cookies" not in markdown.fit_markdown
    assert f"{address.removesuffix('/news')}/cookies" in markdown.references_markdown


def test_the_filter_chooses_for_the_generator_of_crawl4ai() -> None:
    generator = DefaultMarkdownGenerator(content_filter=TamisFilter(), content_source="raw_html")
    _, markdown = crawl_markdown(generator)
    assert "## Four tries and a lot of smoke" in markdown.fit_markdown
    assert "We and our partners use cookies" in markdown.raw_markdown
    assert "We and our partners use cookies" not in markdown.fit_markdown


def test_a_page_that_cannot_be_read_fails_with_its_reason() -> None:
    _, result = crawl(TamisMarkdown(max_depth=3))
    assert not result.success
    assert "the page nests elements deeper than 3" in result.error_message


def test_pages_without_content_give_nothing() -> None:
    assert TamisFilter().filter_content("") == []
    empty = TamisMarkdown().generate_markdown("")
    assert (empty.raw_markdown, empty.fit_markdown, empty.fit_html) == ("", "", "")


@examples("crawl4ai")
def test_the_examples_run(code: str, printed: str, tmp_path: Path) -> None:
    run_example(code, printed, tmp_path)
