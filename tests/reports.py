"""What holds for every report: an HTML file with nothing in it that runs, loads or links out."""

from __future__ import annotations

import re

import turbohtml

TAGS = frozenset(
    "html head meta title style body header h1 h2 p bdi dl dt dd div span i input label small main"
    " section details summary strong".split()
)


def elements(html: str) -> list[turbohtml.Element]:
    """All elements, in document order."""
    root = turbohtml.parse(html).root
    assert root is not None
    result: list[turbohtml.Element] = []
    left: list[turbohtml.Node] = [root]
    while left:
        node = left.pop()
        if isinstance(node, turbohtml.Element):
            result.append(node)
            left += reversed(list(node.children))
    return result


def check_elements(html: str, *more_tags: str) -> None:
    """No other elements than those of reports, and no attribute that runs or loads something."""
    for element in elements(html):
        assert element.tag in TAGS.union(more_tags)
        assert not any(name.startswith("on") or name == "src" for name in element.attrs)
        assert re.fullmatch(r"#b\d+", str(element.attrs.get("href", "#b0"))), "a place in the file"


def check_policy(html: str) -> None:
    """The policy in the head forbids scripts, and the style loads nothing."""
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)
    assert policy is not None
    assert "default-src 'none'" in policy[1]
    assert "script-src" not in policy[1]
    style = html[html.index("<style>") : html.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style
