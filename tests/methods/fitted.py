"""Any method by name, ready to score: those that learn from a site are fitted to a small one."""

from __future__ import annotations

import tamis
from tamis.methods import _registry
from tamis.methods._shared.site import SiteMethod

OTHERS = [
    tamis.parse(f"<title>{day}</title><nav>Menu, search</nav><p>What happened on {day} in town.")
    for day in ("Monday", "Tuesday", "Friday")
]


def fitted(name: str) -> tamis.Method:
    """The method with its defaults."""
    method = _registry.create(name, {})
    return method.fit(OTHERS) if isinstance(method, SiteMethod) else method
