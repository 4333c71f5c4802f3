"""Answers as Jina's reader and Firecrawl give them, and the CSS selectors that both take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tamis.errors import InputError, OptionsError
from tamis.page.encoding import decode
from tamis.render.chunks import estimate
from tamis.result import Result
from tamis.serve.http.problems import as_json

_MEDIA_TYPES = {"markdown": "text/markdown", "html": "text/html"}


def select_parts(
    html: str | bytes,
    content_type: str | None,
    wanted: Sequence[str] = (),
    unwanted: Sequence[str] = (),
) -> str:
    """Drop what `unwanted` names, and everything but what `wanted` names, if it names something.

    The head stays, since it has the title and the like.
    """
    import turbohtml

    decoded = decode(html, content_type).source.decode("utf-8", "replace")
    document = turbohtml.parse(decoded)
    try:
        chosen = [element for selector in unwanted for element in document.select(selector)]
        for element in chosen:
            element.decompose()
        kept = document.select(", ".join(wanted)) if wanted else []
    except turbohtml.SelectorSyntaxError as error:
        raise OptionsError(
            f"a selector is not valid CSS ({error}); write it as .story > p"
        ) from error
    if not wanted:
        return document.html
    around = set(kept)
    outermost = (element for element in kept if around.isdisjoint(element.ancestors))
    body = "".join(element.html for element in outermost)
    head = document.select_one("head")
    return f"<!doctype html><html>{head.html if head else ''}<body>{body}</body></html>"


def write_reading(
    result: Result, content_name: str, form: str, budget: float | None
) -> tuple[bytes, str]:
    """Write what Jina's reader answers, and its media type.

    That is the content after some lines about the page, alone, or as JSON.
    """
    content: str = getattr(result, content_name)
    about, tokens = result.metadata, estimate(content)
    if budget is not None and tokens > budget:
        raise InputError(
            f"the content has about {tokens:,} tokens, more than the budget of {budget:,};"
            " raise X-Token-Budget"
        )
    if form == "json":
        data = {
            "title": about.title,
            "description": about.description,
            "url": result.url,
            content_name if content_name == "html" else "content": content,
            **({"publishedTime": about.date} if about.date else {}),
            "metadata": about.to_dict(),
            "usage": {"tokens": tokens},
        }
        return as_json({"code": 200, "status": 20000, "data": data}), "application/json"
    if form == "labelled":
        lines = [f"Title: {about.title}"]
        lines += [f"URL Source: {result.url}"] if result.url else []
        lines += [f"Published Time: {about.date}"] if about.date else []
        content = "\n\n".join((*lines, f"Markdown Content:\n{content}"))
    return content.encode("utf-8", "replace"), _MEDIA_TYPES.get(form, "text/plain")


def write_document(
    result: Result, names: Sequence[str], read_source: Callable[[], str], served: dict[str, Any]
) -> bytes:
    """Write the document that Firecrawl gives; a warning names formats that are not made here.

    `served` is what is known of the answer of the page's server.
    """
    formats: dict[str, Callable[[], Any]] = {
        "markdown": lambda: result.markdown,
        "html": lambda: result.html,
        "rawHtml": read_source,
        "links": lambda: _list_links(result.html),
    }
    about = result.metadata
    metadata = {
        "title": about.title,
        "description": about.description,
        "language": about.language,
        "keywords": ", ".join(about.tags),
        "ogImage": about.image or None,
        "ogSiteName": about.site_name or None,
        "publishedTime": about.published or None,
        "modifiedTime": about.modified or None,
        **served,
    }
    data = {name: make() for name, make in formats.items() if name in names}
    data["metadata"] = metadata
    if unknown := [name for name in names if name not in formats]:
        data["warning"] = f"not made here: {', '.join(unknown)}"
    return as_json(data)


def _list_links(html: str) -> list[str]:
    """List the addresses that clean HTML links to, each once, in order."""
    import turbohtml

    targets = (element.attrs.get("href") for element in turbohtml.parse(html).select("a[href]"))
    return list(dict.fromkeys(str(target) for target in targets if target))
