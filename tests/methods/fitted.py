"""Any method by name, ready to score: those that learn from a site are fitted to a small one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tamis
from tamis.methods import _registry
from tamis.methods._shared.site_method import SiteMethod

OTHERS = [
    tamis.parse(f"<title>{day}</title><nav>Menu, search</nav><p>What happened on {day} in town.")
    for day in ("Monday", "Tuesday", "Friday")
]


def fitted(name: str, site: Sequence[tamis.Page] = OTHERS, **parameters: Any) -> tamis.Method:
    """The method with its defaults, but for these parameters."""
    method = _registry.create(name, parameters)
    return method.fit(site) if isinstance(method, SiteMethod) else method
