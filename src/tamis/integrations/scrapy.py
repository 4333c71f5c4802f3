"""Scrapy: results as arguments of callbacks (with scrapy-poet), and an item pipeline.

Settings:

    SCRAPY_POET_PROVIDERS = {"tamis.integrations.scrapy.TamisProvider": 500}
    ITEM_PIPELINES = {"tamis.integrations.scrapy.TamisPipeline": 300}
    TAMIS_OPTIONS = {"focus": "recall"}      options of tamis.extract
    TAMIS_HTML_FIELD = "html"                of the pipeline: where an item has its HTML
    TAMIS_FORMATS = ["markdown"]             of the pipeline: markdown, text, html
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, Self, get_args

from itemadapter import ItemAdapter
from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem
from scrapy.http import Response
from scrapy.settings import BaseSettings
from scrapy_poet.page_input_providers import PageObjectInputProvider

from tamis.errors import OptionsError, TamisError
from tamis.flow import extract
from tamis.integrations._documents import Format, content_of, metadata_of
from tamis.options import Options, choose_options
from tamis.result import Result


def _read_options(settings: BaseSettings) -> Options:
    return choose_options(None, settings.getdict("TAMIS_OPTIONS"))


class TamisProvider(PageObjectInputProvider):
    """Gives callbacks and page objects a `tamis.Result` of the response.

    A callback asks for it with `def parse(self, response, page: tamis.Result)`, a page object with
    a field of that type. A response that is not a page is a `TamisError` and goes to the errback.
    """

    provided_classes = {Result}  # noqa: RUF012  # as the base class declares it
    name = "tamis"

    @cached_property
    def options(self) -> Options:
        return _read_options(self.injector.crawler.settings)

    def __call__(self, to_provide: set[Callable[..., Any]], response: Response) -> Sequence[Result]:
        content_type = (response.headers.get("Content-Type") or b"").decode("latin-1") or None
        return [
            extract(
                response.body, url=response.url, content_type=content_type, options=self.options
            )
        ]


class TamisPipeline:
    """Replaces the HTML in each item by the content of the page.

    An item gets the fields `markdown`, `text` or `html`. Title, author, date and the like fill the
    empty fields of the item with these names. The pipeline drops an item whose page cannot be read
    or has no content, and says why.
    """

    def __init__(self, html_field: str, formats: Iterable[Format], options: Options) -> None:
        self.html_field = html_field
        self.formats = tuple(formats)
        self.options = options
        for format in self.formats:
            if format not in get_args(Format):
                raise OptionsError(
                    f"TAMIS_FORMATS has {format!r}; give some of {', '.join(get_args(Format))}"
                )

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        formats: Any = settings.getlist("TAMIS_FORMATS", ["markdown"])
        return cls(settings.get("TAMIS_HTML_FIELD", "html"), formats, _read_options(settings))

    def process_item(self, item: Any) -> Any:
        adapter = ItemAdapter(item)
        html = adapter.get(self.html_field)
        if not html:
            return item
        try:
            result = extract(html, url=adapter.get("url"), options=self.options)
            contents = {format: content_of(result, format) for format in self.formats}
        except TamisError as error:
            raise DropItem(f"tamis: {error}") from error
        if not any(contents.values()):
            raise DropItem("tamis: the page has no content")
        if isinstance(item, dict):
            del adapter[self.html_field]
        else:
            adapter[self.html_field] = None
        for name, value in (contents | metadata_of(result)).items():
            fits = isinstance(item, dict) or name in adapter.field_names()
            if fits and (name in contents or not adapter.get(name)):
                adapter[name] = value
        return item
