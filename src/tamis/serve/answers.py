"""Answers that need more than the formats of a result: views, comparisons, those of other services.

People look at a view: the blocks of a page with their decisions. Jina's reader and Firecrawl have
documents of their own, and both take CSS selectors.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from tamis._runtime import limits
from tamis.bench.measures import bag_of_words
from tamis.errors import InputError, OptionsError
from tamis.labels.blocks import propose_kind
from tamis.page.encoding import decode
from tamis.render import original
from tamis.render.chunks import estimate
from tamis.result import Result
from tamis.serve.problems import as_json

_RIGHT_TO_LEFT = frozenset("ar arc ckb dv fa he ks ps sd syr ug ur yi".split())


def show_page(result: Result, *, document: bool, pictures: bool) -> dict[str, Any]:
    """Show the blocks of a page, and with `document` the original with a span around every text."""
    page = result.page
    rows = zip(
        result.blocks,
        page.blocks.words.tolist(),
        (page.text_lines[page.blocks.first_text] + 1).tolist(),
        strict=True,
    )
    about: dict[str, Any] = {}
    if document:
        language = result.metadata.language
        right_to_left = language.partition("-")[0] in _RIGHT_TO_LEFT
        title = result.metadata.title or page.title
        direction = "rtl" if right_to_left else "ltr"
        about = {"title": title, "language": language, "direction": direction}
    return {
        "url": result.url,
        **about,
        "method": result.method,
        "page_type": result.page_type,
        "cut": result.decision.cut if math.isfinite(result.decision.cut) else None,
        "focus": result.options.focus,
        "threshold": result.options.threshold,
        "embedded": result.embedded,
        "pictures": pictures,
        "document": original.render(page, result.url, pictures=pictures) if document else None,
        "blocks": [
            {
                "block": number,
                "kept": block.kept,
                "score": round(block.score, 4),
                "kind": block.kind,
                "label": propose_kind(block.kind, block.kept),
                "text": block.text,
                "words": words,
                "xpath": block.xpath,
                "start": block.start,
                "end": block.end,
                "line": line,
            }
            for number, (block, words, line) in enumerate(limits.check_each(rows))
        ],
        "hash": hashlib.sha256(page.source).hexdigest(),
    }


def compare_results(
    names: Sequence[str], results: Sequence[Result], gold: str | None
) -> dict[str, Any]:
    """Compare results by their names, with a score against the gold if it is given."""
    words = [Counter(result.text.split()) for result in results]
    # What is made of embedded content has blocks of its own.
    numbered = [number for number, result in enumerate(results) if not result.embedded]
    blocks = results[numbered[0]].blocks if numbered else ()
    differing = [
        block
        for block in range(len(blocks))
        if len({bool(results[number].kept[block]) for number in numbered}) > 1
    ]
    return {
        "results": [
            {
                "name": name,
                "text": result.text,
                "words": counted.total(),
                "blocks": int(result.kept.sum()),
                "kept": np.flatnonzero(result.kept).tolist(),
                "embedded": result.embedded,
                **({} if gold is None else {"score": _score_text(result.text, gold)}),
            }
            for name, result, counted in zip(names, results, words, strict=True)
        ],
        "agreement": [
            {
                "names": [names[one], names[other]],
                "f1": round(_measure_agreement(words[one], words[other]), 4),
            }
            for one, other in combinations(range(len(names)), 2)
        ],
        "differences": [
            {
                "block": block,
                "text": blocks[block].text,
                "xpath": blocks[block].xpath,
                "start": blocks[block].start,
                "end": blocks[block].end,
                "kept_by": [names[i] for i in numbered if results[i].kept[block]],
                "scores": {names[i]: round(float(results[i].scores[block]), 4) for i in numbered},
            }
            for block in differing
        ],
    }


def _score_text(text: str, gold: str) -> dict[str, float]:
    """Score the words, their order ignored, as `tamis bench` counts them."""
    return {name: round(value, 4) for name, value in bag_of_words(text, gold)._asdict().items()}


def _measure_agreement(one: Counter[str], other: Counter[str]) -> float:
    """Compute F1 of the words of two texts, as often as each occurs; two empty texts agree."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0


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
