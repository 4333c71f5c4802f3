"""How far a project is."""

from __future__ import annotations

import time
from typing import Any

from tamis.evaluate.datasets import KINDS
from tamis.project import pages, teaching, weights
from tamis.project.database import Database


def overview(database: Database) -> dict[str, Any]:
    """Its pages, what was taught, what is accepted: plain values, ready for JSON."""
    return {
        "name": database.name,
        **pages.counts(database),
        "weights": weights.list_weights(database),
        "accepted": weights.find_accepted(database),
        "teaching": teaching.state(database, time.time()),
        "kinds": list(KINDS),
    }
