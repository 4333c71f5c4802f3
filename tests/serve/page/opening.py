"""How tests open the page of a service, and pages on it."""

from __future__ import annotations

from collections.abc import Callable

from tests.browser.window import Window

_RUN = """axe.run(document, { iframes: false, resultTypes: ["violations"] }).then(
  ({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(node =>
    `${id}: ${node.target} ${node.html.slice(0, 150)} (${node.failureSummary})`)))"""

Opened = Callable[..., Window]
"""Opens a window at an address of a service, see the fixture `opened`."""


def paste_page(window: Window, html: str) -> None:
    """Paste HTML on the start view and open it."""
    window.paste("@start-html", html)
    window.click("@start-open")
    window.see("@frame >>> [data-tamis]")


def violations(window: Window, axe: str) -> list[str]:
    """What axe finds wrong with what is shown, in light and dark."""
    window.value(f"{axe}; 0")
    found = []
    for theme in ("light", "dark"):
        window.theme(theme)
        found += [f"{theme}: {violation}" for violation in window.value(_RUN)]
    return found
