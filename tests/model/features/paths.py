"""Paths of nodes, step by step."""

from __future__ import annotations

from tamis.model.features.batch import Batch


def path_to(batch: Batch, node: int) -> list[int]:
    """The node and all above it."""
    path = []
    while node >= 0:
        path.append(node)
        node = int(batch.nodes.parent[node])
    return path
