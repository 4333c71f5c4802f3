"""What the worker processes do: they make answers of pages, ready to be sent.

A worker answers a `Question` with an `Answer`, or with the `TamisError` that `tamis.extract`
raises.
"""

from __future__ import annotations

import base64
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from tamis._runtime import limits
from tamis.errors import InputError, TamisError, TooMuchOutputError
from tamis.flow import extract, extract_visible, parse
from tamis.many import catch_error
from tamis.options import Options
from tamis.render import explanation
from tamis.result import Result
from tamis.serve import answers
from tamis.serve.problems import as_json, make_problem

if TYPE_CHECKING:
    from tamis.site.model import Site


class SentPage(NamedTuple):
    """A page that was sent or fetched."""

    html: bytes
    url: str | None
    content_type: str | None
    status: int | None = None
    """Of the server that it was fetched from."""


class Question(NamedTuple):
    """What a process is asked."""

    task: str
    """A name of `TASKS`."""
    pages: Sequence[SentPage | TamisError]
    options: Options
    details: Mapping[str, Any] = {}
    """What else the task takes."""


@dataclass(slots=True)
class Answer:
    """What is sent back."""

    most: float = math.inf
    """Largest body, in bytes."""
    body: bytes = b""
    media_type: str = "application/json"
    seconds: dict[str, float] = field(default_factory=dict)
    """How long each part took."""
    value: Any = None
    """What the server itself needs of a page."""

    def check_size(self, size: int) -> None:
        """Raise an error if a body of so many bytes is too large, before more of it is made."""
        if size > self.most:
            raise TooMuchOutputError(
                f"the answer has more than {self.most:,} bytes; ask for fewer formats, or give a"
                " smaller page"
            )

    def write_object(self, members: Iterable[tuple[str, Any]], before: int = 0) -> bytes:
        """Write a JSON object member by member, since each may be as large as all may be.

        `before` is the size of the body before the object.
        """
        parts, size = [], before
        for name, value in members:
            part = as_json(name) + b":" + as_json(value)
            parts.append(part)
            size += len(part) + 1
            self.check_size(size)
        return b"{" + b",".join(parts) + b"}"

    @contextmanager
    def measure_time(self, name: str) -> Iterator[None]:
        started = time.perf_counter()
        yield
        self.seconds[name] = time.perf_counter() - started


FORMATS: dict[str, Callable[[Result, Mapping[str, Any]], Any]] = {
    "text": lambda result, _: result.text,
    "markdown": lambda result, _: result.markdown,
    "html": lambda result, _: result.html,
    "json": lambda result, _: result.to_dict(),
    "metadata": lambda result, _: result.metadata.to_dict(),
    "blocks": lambda result, _: [block.to_dict() for block in result.blocks],
    "items": lambda result, _: list(map(asdict, result.items)),
    "posts": lambda result, _: list(map(asdict, result.posts)),
    "chunks": lambda result, size: list(map(asdict, result.chunks(**size))),
}
"""What can be asked for of a result, with the sizes of chunks."""


def make_worker(most: int) -> Callable[[Question], Answer | TamisError]:
    """Make what answers questions in a worker, each in at most so many bytes.

    It loads all that most questions need.
    """
    extract("<p>A tamis is a sieve with a fine mesh of silk.").to_dict()
    # Markdown without links is what most ask for; the property loads what makes it.
    extract("<p>A tamis is a <b>sieve</b>.", options=Options(links=False)).markdown  # noqa: B018
    return lambda question: catch_error(partial(_answer, question, most))


def _answer(question: Question, most: int) -> Answer:
    answer, options = Answer(most), question.options
    started = time.perf_counter()
    with limits.within(options.max_seconds, options.max_output):
        TASKS[question.task](question, answer)
    if answer.value is None:  # what is not extracted is rendered
        taken = time.perf_counter() - started
        answer.seconds["render"] = taken - answer.seconds.get("extract", 0.0)
    answer.check_size(len(answer.body))
    return answer


def _get_page(question: Question) -> SentPage:
    (page,) = question.pages
    if isinstance(page, TamisError):
        raise page
    return page


def _extract_page(question: Question, answer: Answer) -> Result:
    page, options, details = _get_page(question), question.options, question.details
    wanted, unwanted = details.get("wanted", ()), details.get("unwanted", ())
    extract_html = partial(extract, url=page.url, content_type=page.content_type, options=options)
    html: str | bytes = page.html
    with answer.measure_time("extract"):
        if wanted or unwanted:
            html = answers.select_parts(page.html, page.content_type, wanted, unwanted)
        # What selectors choose is not replaced by an article in the data of the page, unless the
        # page had shown nothing else before they took something away. People label what is shown.
        shows_data = not wanted and (not unwanted or extract_html(page.html).embedded)
        if shows_data and not details.get("labelling"):
            return extract_html(html)
        table = parse(html, content_type=page.content_type, options=options)
        return extract_visible(table, page.url, options)


def _decode_source(page: SentPage) -> str:
    """Decode a page as it came; what is extracted may be made of the data in it."""
    return parse(page.html, content_type=page.content_type).source.decode("utf-8", "replace")


def _extract(question: Question, answer: Answer) -> None:
    result = _extract_page(question, answer)
    answer.body = answer.write_object(_render_formats(result, **question.details))


def _render_formats(
    result: Result, formats: Sequence[str], chunks: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    yield "url", result.url
    yield "method", result.method
    for name in dict.fromkeys(formats):
        yield name, FORMATS[name](result, chunks)


def _explain(question: Question, answer: Answer) -> None:
    result, details = _extract_page(question, answer), question.details
    if details["format"] == "html":
        answer.body = result.explain().encode("utf-8", "replace")
        answer.media_type = "text/html"
        return
    block, count = details["block"], len(result.blocks)
    if block is not None and block >= count:
        raise InputError(f"there is no block {block}; the page has {count}, from 0 on")
    numbers = range(count) if block is None else [block]
    source = result.page.source.decode("utf-8", "replace") if details["source"] else None
    blocks = explanation.list_rows(result.blocks, result.reasons, result.units, numbers)
    answer.body = as_json(
        {
            "url": result.url,
            "method": result.method,
            "cut": result.decision.cut if math.isfinite(result.decision.cut) else None,
            "embedded": result.embedded,
            "source": source,
            "blocks": blocks,
        }
    )


def _show_page(question: Question, answer: Answer) -> None:
    result, details = _extract_page(question, answer), question.details
    shown = answers.show_page(result, document=details["document"], pictures=details["pictures"])
    if details["source"]:
        shown["source"] = _decode_source(_get_page(question))
    answer.body = as_json(shown)


def _compare(question: Question, answer: Answer) -> None:
    page, details = _get_page(question), question.details
    with answer.measure_time("extract"):
        table = parse(page.html, content_type=page.content_type, options=question.options)
        results = [
            extract(table, url=page.url, options=replace(question.options, **choice))
            for choice in details["choices"]
        ]
    compared = answers.compare_results(details["names"], results, details["gold"])
    answer.body = as_json({"url": page.url, **compared})


def _draw_cloud(question: Question, answer: Answer) -> None:
    from tamis.cloud.draw import Style

    result, details = _extract_page(question, answer), question.details
    cloud = result.cloud(details["terms"])
    if details["format"] == "svg":
        answer.body = cloud.svg(Style(**(details["style"] or {}))).encode()
        answer.media_type = "image/svg+xml"
    else:
        listed = {"url": result.url, "title": cloud.title, "terms": cloud.to_list()}
        answer.body = as_json(listed)


def _extract_site(question: Question, answer: Answer) -> None:
    from tamis.site.model import Site

    options, details = question.options, question.details
    pages = [page for page in question.pages if isinstance(page, SentPage)]
    with answer.measure_time("extract"):
        site = Site().fit([page[:3] for page in pages], options=options)
        if not site.pages:
            raise InputError("none of the pages could be read; give HTML pages of one site")
        own = replace(options, method=site, parameters={})
        results = [_extract_with_site(page, own) for page in question.pages]
    left_out = len(question.pages) - len(pages)
    model = base64.b64encode(site.pack()).decode() if details["model"] else None
    head = answer.write_object([("site", _describe_site(site, left_out)), ("model", model)])
    rows, size = [], len(head)
    for result in results:
        if isinstance(result, TamisError):
            row = as_json({"error": make_problem(result).to_dict()})
        else:
            formats = _render_formats(result, details["formats"], details["chunks"])
            row = answer.write_object(formats, before=size)
        rows.append(row)
        size += len(row) + 1
    answer.body = head[:-1] + b',"results":[' + b",".join(rows) + b"]}"


def _describe_site(site: Site, left_out: int) -> dict[str, Any]:
    return {
        "method": site.name,
        "pages": site.pages,
        "skipped": site.skipped + left_out,
        "templates": site.template_count,
        "confidence": round(site.confidence, 4),
        "template_blocks": [
            {"text": block.text, "pages": block.pages, "share": round(block.share, 4)}
            for block in site.template_blocks[:100]
        ],
    }


def _extract_with_site(page: SentPage | TamisError, options: Options) -> Result | TamisError:
    if isinstance(page, TamisError):
        return page
    html, url, content_type, _ = page
    return catch_error(partial(extract, html, url=url, content_type=content_type, options=options))


def _read_as_jina(question: Question, answer: Answer) -> None:
    result, details = _extract_page(question, answer), question.details
    answer.body, answer.media_type = answers.write_reading(
        result, details["content"], details["form"], details["budget"]
    )


def _scrape_as_firecrawl(question: Question, answer: Answer) -> None:
    page, result = _get_page(question), _extract_page(question, answer)
    served = {
        "sourceURL": question.details["url"],
        "url": page.url,
        "statusCode": page.status,
        "contentType": page.content_type,
    }
    names, read_source = question.details["formats"], partial(_decode_source, page)
    answer.body = answers.write_document(result, names, read_source, served)


def _read_for_project(question: Question, answer: Answer) -> None:
    from tamis.project.transfer import read_page

    html, url, content_type, _ = _get_page(question)
    with answer.measure_time("extract"):
        answer.value = read_page(html, url, content_type, question.options)


def _export_labels(question: Question, answer: Answer) -> None:
    from tamis.project.transfer import export_page

    answer.body = export_page(question.details["example"], question.details["to"])


def _import_labels(question: Question, answer: Answer) -> None:
    from tamis.labels.datasets import read_line
    from tamis.project.transfer import import_page

    with answer.measure_time("extract"):
        example = read_line(question.details["line"], question.details["dataset"])
        answer.value = import_page(example, question.options)


TASKS: dict[str, Callable[[Question, Answer], None]] = {
    "extract": _extract,
    "explain": _explain,
    "view": _show_page,
    "compare": _compare,
    "cloud": _draw_cloud,
    "site": _extract_site,
    "read": _read_as_jina,
    "scrape": _scrape_as_firecrawl,
    "project": _read_for_project,
    "export": _export_labels,
    "import": _import_labels,
}
"""What can be asked, by name."""
