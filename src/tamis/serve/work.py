"""What the processes do: pages to answers, as JSON or as a picture, ready to be sent.

A `Question` is answered with an `Answer`, or with the `TamisError` that `tamis.extract` raises.
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
from tamis.many import caught
from tamis.options import Options
from tamis.render import explain
from tamis.render.chunks import estimate
from tamis.result import Result
from tamis.serve import page_view
from tamis.serve.comparison import compare
from tamis.serve.problems import as_json, problem_of
from tamis.serve.selectors import links, select_parts

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
        """Refuse a body of so many bytes, if that is too large, before more of it is made."""
        if size > self.most:
            raise TooMuchOutputError(
                f"the answer has more than {self.most:,} bytes; ask for fewer formats, or give a"
                " smaller page"
            )

    def json_object(self, members: Iterable[tuple[str, Any]], before: int = 0) -> bytes:
        """An object of JSON, made member by member, since each may be as large as all may be.

        There are some bytes of the body before it.
        """
        parts, size = [], before
        for name, value in members:
            part = as_json(name) + b":" + as_json(value)
            parts.append(part)
            size += len(part) + 1
            self.check_size(size)
        return b"{" + b",".join(parts) + b"}"

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Count the time of what is inside."""
        started = time.perf_counter()
        try:
            yield
        finally:
            taken = time.perf_counter() - started
            self.seconds[name] = self.seconds.get(name, 0.0) + taken


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
    """What a question is answered with, in at most so many bytes.

    All that most questions need is loaded now.
    """
    extract("<p>A tamis is a sieve with a fine mesh of silk.").to_dict()
    # Markdown without links is what most ask for; the property loads what makes it.
    extract("<p>A tamis is a <b>sieve</b>.", options=Options(links=False)).markdown  # noqa: B018
    return lambda question: caught(partial(_answer, question, most))


def _answer(question: Question, most: int) -> Answer:
    answer, options = Answer(most), question.options
    with limits.within(options.max_seconds, options.max_output):
        TASKS[question.task](question, answer)
    answer.check_size(len(answer.body))
    return answer


# Pages to results


def _only(question: Question) -> SentPage:
    (page,) = question.pages
    if isinstance(page, TamisError):
        raise page
    return page


def _result(question: Question, answer: Answer) -> Result:
    page, options = _only(question), question.options
    wanted, unwanted = (question.details.get(name, ()) for name in ("wanted", "unwanted"))
    extract_page = partial(extract, url=page.url, content_type=page.content_type, options=options)
    with answer.part("extract"):
        if not wanted and not unwanted:
            return extract_page(page.html)
        html = select_parts(page.html, page.content_type, wanted, unwanted)
        # What selectors choose is not replaced by an article in the data of the page, unless the
        # page had shown nothing else before they took something away.
        if not wanted and extract_page(page.html).embedded:
            return extract_page(html)
        table = parse(html, content_type=page.content_type, options=options)
        return extract_visible(table, page.url, options)


def _render_formats(
    result: Result, formats: Sequence[str], chunks: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    yield "url", result.url
    yield "method", result.method
    for name in dict.fromkeys(formats):
        yield name, FORMATS[name](result, chunks)


def _extract(question: Question, answer: Answer) -> None:
    result = _result(question, answer)
    with answer.part("render"):
        answer.body = answer.json_object(_render_formats(result, **question.details))


def _explain(question: Question, answer: Answer) -> None:
    result = _result(question, answer)
    with answer.part("render"):
        if question.details["format"] == "html":
            answer.body, answer.media_type = (
                result.explain().encode("utf-8", "replace"),
                "text/html",
            )
            return
        block, count = question.details["block"], len(result.blocks)
        if block is not None and block >= count:
            raise InputError(f"there is no block {block}; the page has {count}, from 0 on")
        numbers = range(count) if block is None else [block]
        answer.body = as_json(
            {
                "url": result.url,
                "method": result.method,
                "cut": result.decision.cut if math.isfinite(result.decision.cut) else None,
                "embedded": result.embedded,
                "source": result.page.source.decode("utf-8", "replace")
                if question.details["source"]
                else None,
                "blocks": explain.rows(result.blocks, result.reasons, result.units, numbers),
            }
        )


def _view(question: Question, answer: Answer) -> None:
    page = _only(question)
    labelling = question.details.get("labelling", False)
    result = _visible(question, answer) if labelling else _result(question, answer)
    document, pictures = question.details["document"], question.details["pictures"]
    with answer.part("render"):
        shown = page_view.view(result, document=document, pictures=pictures)
        if question.details["source"]:
            shown["source"] = _source(page)
        answer.body = as_json(shown)


def _visible(question: Question, answer: Answer) -> Result:
    """The result of what a page shows, also where its content is in its data."""
    page = _only(question)
    with answer.part("extract"):
        table = parse(page.html, content_type=page.content_type, options=question.options)
        return extract_visible(table, page.url, question.options)


def _source(page: SentPage) -> str:
    """The page as it came; what is extracted may be made of the data in it."""
    return parse(page.html, content_type=page.content_type).source.decode("utf-8", "replace")


def _compare(question: Question, answer: Answer) -> None:
    page = _only(question)
    with answer.part("extract"):
        table = parse(page.html, content_type=page.content_type, options=question.options)
        results = [
            extract(table, url=page.url, options=replace(question.options, **choice))
            for choice in question.details["choices"]
        ]
    with answer.part("render"):
        names, gold = question.details["names"], question.details["gold"]
        answer.body = as_json({"url": page.url, **compare(names, results, gold)})


def _cloud(question: Question, answer: Answer) -> None:
    from tamis.cloud.draw import Style

    result = _result(question, answer)
    with answer.part("render"):
        cloud = result.cloud(question.details["terms"])
        if question.details["format"] == "svg":
            style = Style(**question.details["style"])
            answer.body, answer.media_type = cloud.svg(style).encode(), "image/svg+xml"
        else:
            answer.body = as_json(
                {"url": result.url, "title": cloud.title, "terms": cloud.to_list()}
            )


def _site(question: Question, answer: Answer) -> None:
    from tamis.site.model import Site

    options = question.options
    pages = [page for page in question.pages if isinstance(page, SentPage)]
    with answer.part("extract"):
        site = Site().fit([page[:3] for page in pages], options=options)
        if not site.pages:
            raise InputError("none of the pages could be read; give HTML pages of one site")
        own = replace(options, method=site, parameters={})
        results = [_of_site(page, own) for page in question.pages]
    with answer.part("render"):
        formats, chunks = question.details["formats"], question.details["chunks"]
        left_out = len(question.pages) - len(pages)
        model = base64.b64encode(site.pack()).decode() if question.details["model"] else None
        head = answer.json_object([("site", _about_site(site, left_out)), ("model", model)])
        rows, size = [], len(head)
        for result in results:
            if isinstance(result, TamisError):
                row = as_json({"error": problem_of(result).document()})
            else:
                row = answer.json_object(_render_formats(result, formats, chunks), before=size)
            rows.append(row)
            size += len(row) + 1
        answer.body = head[:-1] + b',"results":[' + b",".join(rows) + b"]}"


def _about_site(site: Site, left_out: int) -> dict[str, Any]:
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


def _of_site(page: SentPage | TamisError, options: Options) -> Result | TamisError:
    if isinstance(page, TamisError):
        return page
    html, url, content_type, _ = page
    return caught(partial(extract, html, url=url, content_type=content_type, options=options))


# The conventions of other services


def _read(question: Question, answer: Answer) -> None:
    """As Jina's reader answers: the content after some lines about the page, alone, or as JSON."""
    result = _result(question, answer)
    with answer.part("render"):
        name = question.details["content"]
        content: str = getattr(result, name)
        about, tokens = result.metadata, estimate(content)
        budget = question.details["budget"]
        if budget is not None and tokens > budget:
            raise InputError(
                f"the content has about {tokens:,} tokens, more than the budget of {budget:,};"
                " raise X-Token-Budget"
            )
        form = question.details["form"]
        if form == "json":
            data = {
                "title": about.title,
                "description": about.description,
                "url": result.url,
                name if name == "html" else "content": content,
                **({"publishedTime": about.date} if about.date else {}),
                "metadata": about.to_dict(),
                "usage": {"tokens": tokens},
            }
            answer.body = as_json({"code": 200, "status": 20000, "data": data})
            return
        if form == "labelled":
            lines = [f"Title: {about.title}"]
            lines += [f"URL Source: {result.url}"] if result.url else []
            lines += [f"Published Time: {about.date}"] if about.date else []
            content = "\n\n".join((*lines, f"Markdown Content:\n{content}"))
        answer.body = content.encode("utf-8", "replace")
        answer.media_type = {"html": "text/html", "plain": "text/plain"}.get(form, "text/plain")
        if form == "markdown":
            answer.media_type = "text/markdown"


def _scrape(question: Question, answer: Answer) -> None:
    """The document that Firecrawl gives; a warning names the formats that are not made here."""
    page, result = _only(question), _result(question, answer)
    formats: Mapping[str, Callable[[], Any]] = {
        "markdown": lambda: result.markdown,
        "html": lambda: result.html,
        "rawHtml": lambda: _source(page),
        "links": lambda: links(result.html),
    }
    with answer.part("render"):
        about = result.metadata
        unknown = [name for name in question.details["formats"] if name not in formats]
        data = {
            **{
                name: make()
                for name, make in formats.items()
                if name in question.details["formats"]
            },
            "metadata": {
                "title": about.title,
                "description": about.description,
                "language": about.language,
                "keywords": ", ".join(about.tags),
                "ogImage": about.image or None,
                "ogSiteName": about.site_name or None,
                "publishedTime": about.published or None,
                "modifiedTime": about.modified or None,
                "sourceURL": question.details["url"],
                "url": page.url,
                "statusCode": page.status,
                "contentType": page.content_type,
            },
            **({"warning": f"not made here: {', '.join(unknown)}"} if unknown else {}),
        }
        answer.body = as_json(data)


def _for_project(question: Question, answer: Answer) -> None:
    from tamis.project.reading import read

    html, url, content_type, _ = _only(question)
    with answer.part("extract"):
        answer.value = read(html, url, content_type, question.options)


def _export(question: Question, answer: Answer) -> None:
    from tamis.project.exchange import export_page

    with answer.part("render"):
        answer.body = export_page(question.details["example"], question.details["to"])


def _import(question: Question, answer: Answer) -> None:
    from tamis.evaluate.datasets import read_line
    from tamis.project.exchange import import_page

    with answer.part("extract"):
        example = read_line(question.details["line"], question.details["dataset"])
        answer.value = import_page(example, question.options)


TASKS: dict[str, Callable[[Question, Answer], None]] = {
    "extract": _extract,
    "explain": _explain,
    "view": _view,
    "compare": _compare,
    "cloud": _cloud,
    "site": _site,
    "read": _read,
    "scrape": _scrape,
    "project": _for_project,
    "export": _export,
    "import": _import,
}
"""What can be asked, by name."""
