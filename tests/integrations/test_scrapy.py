"""The provider and the pipeline in spiders that crawl a site of this machine."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from tests.integrations.examples import ROOT, examples, run_example
from tests.servers import serving

pytest.importorskip("scrapy_poet", reason="needs tamis[scrapy]: make integrations")

from scrapy.exceptions import DropItem
from scrapy.utils.test import get_crawler

import tamis
from tamis.integrations.scrapy import TamisPipeline

PAGES = {
    "/": b"<html><body><a href=/news>News</a> <a href=/thai>Thai</a> <a href=/paper>PDF</a></html>",
    "/news": (ROOT / "examples" / "news.html").read_bytes(),
    "/thai": (ROOT / "examples" / "thai.html").read_bytes(),
    "/paper": b"%PDF-1.7",
}

SPIDER = """
import json
import sys

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy_poet import DummyResponse

import tamis


class ByProvider(scrapy.Spider):
    name = "by_provider"
    start_urls = [sys.argv[2]]
    custom_settings = {
        "ADDONS": {"scrapy_poet.Addon": 300},
        "SCRAPY_POET_PROVIDERS": {"tamis.integrations.scrapy.TamisProvider": 500},
    }

    def parse(self, response):
        for link in response.css("a::attr(href)").getall():
            yield response.follow(link, self.parse_page, errback=self.failed)

    def parse_page(self, response: DummyResponse, page: tamis.Result):
        yield {"url": page.url, "title": page.metadata.title, "markdown": page.markdown}

    def failed(self, failure):
        yield {"url": failure.request.url, "error": type(failure.value).__name__}


class ByPipeline(scrapy.Spider):
    name = "by_pipeline"
    start_urls = [sys.argv[2]]
    custom_settings = {
        "ITEM_PIPELINES": {"tamis.integrations.scrapy.TamisPipeline": 300},
        "TAMIS_OPTIONS": {"links": False},
    }

    def parse(self, response):
        for link in response.css("a::attr(href)").getall():
            yield response.follow(link, self.parse_page)

    def parse_page(self, response):
        yield {"url": response.url, "html": response.body}


spider = {"provider": ByProvider, "pipeline": ByPipeline}[sys.argv[1]]
feeds = {sys.argv[3]: {"format": "jsonlines"}}
process = CrawlerProcess({"FEEDS": feeds, "LOG_LEVEL": "WARNING", "TELNETCONSOLE_ENABLED": False})
process.crawl(spider)
process.start()
"""


class Site(BaseHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Keep the test output clean."""

    def do_GET(self) -> None:
        body = PAGES.get(self.path)
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(body or b"")


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with serving(Site) as address:
        yield address


def crawl(kind: str, site: str, folder: Path) -> dict[str, dict[str, Any]]:
    (folder / "spider.py").write_text(SPIDER)
    command = [sys.executable, "spider.py", kind, f"{site}/", "items.jsonl"]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    lines = (folder / "items.jsonl").read_text("utf-8").splitlines()
    return {item["url"].removeprefix(site): item for item in map(json.loads, lines)}


def test_callbacks_get_the_content_of_their_pages(site: str, tmp_path: Path) -> None:
    items = crawl("provider", site, tmp_path)
    assert set(items) == {"/news", "/thai", "/paper"}
    for path in ("/news", "/thai"):
        expected = tamis.extract(PAGES[path], url=site + path)
        assert items[path]["markdown"] == expected.markdown
        assert items[path]["title"] == expected.metadata.title
    assert items["/paper"]["error"] == "NotHtmlError"


def test_the_pipeline_fills_items_and_drops_what_is_no_page(site: str, tmp_path: Path) -> None:
    items = crawl("pipeline", site, tmp_path)
    assert set(items) == {"/news", "/thai"}
    expected = tamis.extract(PAGES["/news"], url=f"{site}/news", links=False)
    assert items["/news"]["markdown"] == expected.markdown
    assert items["/news"]["author"] == "Clementine Rook"
    assert "html" not in items["/news"]


@dataclass
class Story:
    url: str
    html: bytes | None
    text: str = ""
    title: str = "given"


def test_items_with_fields_of_their_own_get_those() -> None:
    settings = {"TAMIS_FORMATS": ["text"]}
    pipeline = TamisPipeline.from_crawler(get_crawler(settings_dict=settings))
    story = pipeline.process_item(Story("https://a.example/n", PAGES["/news"]))
    assert story.text == tamis.extract(PAGES["/news"]).text
    assert (story.title, story.html) == ("given", None)
    assert pipeline.process_item({"price": 7}) == {"price": 7}
    with pytest.raises(DropItem, match="looks like a PDF document"):
        pipeline.process_item({"html": b"%PDF-1.7"})
    with pytest.raises(DropItem, match="no content"):
        pipeline.process_item({"html": b"<html></html>"})


def test_wrong_settings_are_said_at_once() -> None:
    for settings in ({"TAMIS_OPTIONS": {"focuss": 1}}, {"TAMIS_FORMATS": ["pdf"]}):
        with pytest.raises(tamis.OptionsError):
            TamisPipeline.from_crawler(get_crawler(settings_dict=settings))


@examples("scrapy")
def test_the_examples_run(code: str, printed: str, tmp_path: Path) -> None:
    run_example(code, printed, tmp_path)
