"""The parts of a page that CSS selectors name, which the conventions of other services have."""

from __future__ import annotations

from collections.abc import Sequence

from tamis.errors import OptionsError
from tamis.page.decode import decode


def select_parts(
    html: str | bytes,
    content_type: str | None,
    wanted: Sequence[str] = (),
    unwanted: Sequence[str] = (),
) -> str:
    """The page without what `unwanted` names, and if `wanted` names something, with that alone.

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
            f"a selector is no CSS selector ({error}); write it as .story > p"
        ) from error
    if not wanted:
        return document.html
    around = set(kept)
    outermost = (element for element in kept if around.isdisjoint(element.ancestors))
    body = "".join(element.html for element in outermost)
    head = document.select_one("head")
    return f"<!doctype html><html>{head.html if head else ''}<body>{body}</body></html>"


def links(html: str) -> list[str]:
    """The addresses that clean HTML links to, each once, in order."""
    import turbohtml

    targets = (element.attrs.get("href") for element in turbohtml.parse(html).select("a[href]"))
    return list(dict.fromkeys(str(target) for target in targets if target))
