"""crawl4ai: a content filter and a Markdown strategy."""

from __future__ import annotations

from typing import Any, Unpack

from crawl4ai.content_filter_strategy import RelevantContentFilter
from crawl4ai.markdown_generation_strategy import (
    DefaultMarkdownGenerator,
    MarkdownGenerationStrategy,
)
from crawl4ai.models import MarkdownGenerationResult

from tamis.flow import extract, to_markdown
from tamis.options import OptionFields, Options, choose_options


class TamisFilter(RelevantContentFilter):
    """Keeps what a page is about, for the Markdown generator of crawl4ai to write.

    Keywords are those of `tamis.extract`.
    """

    def __init__(self, options: Options | None = None, **fields: Unpack[OptionFields]) -> None:
        super().__init__()
        self.tamis_options = choose_options(options, fields)

    def filter_content(self, html: str) -> list[str]:
        """The content as clean HTML in one piece; an empty list if there is none."""
        content = extract(html, options=self.tamis_options).html
        return [content] if content else []


class TamisMarkdown(MarkdownGenerationStrategy):
    """Writes the Markdown of a page and that of its content, both with tamis.

    `raw_markdown` is the whole page, `fit_markdown` and `fit_html` are what it is about. It takes
    the HTML as it was fetched: the HTML that crawl4ai has cleaned lacks half of what tamis decides
    by. Keywords are those of `tamis.extract`.
    """

    def __init__(self, options: Options | None = None, **fields: Unpack[OptionFields]) -> None:
        super().__init__(content_source="raw_html")
        self.tamis_options = choose_options(options, fields)

    def generate_markdown(
        self,
        input_html: str,
        base_url: str = "",
        html2text_options: dict[str, Any] | None = None,
        content_filter: RelevantContentFilter | None = None,
        citations: bool = True,
        **kwargs: Any,
    ) -> MarkdownGenerationResult:
        """The Markdown of the whole page and of its content."""
        url = base_url or None
        result = extract(input_html or "", url=url, options=self.tamis_options)
        whole = to_markdown(result.page, url=url, options=self.tamis_options)
        cited, references = whole, ""
        if citations:
            generator = DefaultMarkdownGenerator()
            cited, references = generator.convert_links_to_citations(whole, base_url)
        return MarkdownGenerationResult(
            raw_markdown=whole,
            markdown_with_citations=cited,
            references_markdown=references,
            fit_markdown=result.markdown,
            fit_html=result.html,
        )
