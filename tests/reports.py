"""What holds for every HTML file that tamis writes as a report."""

from __future__ import annotations

import re

import turbohtml

TAGS = set(
    "html head meta title style body header h1 h2 p bdi dl dt dd div span i b input label small"
    " main section details summary ul li strong".split()
)


def elements(html: str) -> list[turbohtml.Element]:
    """All elements in document order, by another parser."""
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


def assert_only_text(html: str) -> None:
    """Nothing of the page that is shown became an element or could be followed."""
    for element in elements(html):
        assert element.tag in TAGS
        assert not any(name.startswith("on") or name in ("src", "href") for name in element.attrs)


def assert_nothing_is_loaded(html: str) -> None:
    """No address is asked for and no script runs."""
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)
    assert policy is not None
    assert "default-src 'none'" in policy[1]
    assert "script-src" not in policy[1]
    style = html[html.index("<style>") : html.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style
