"""Processes of this machine."""

from __future__ import annotations

from functools import partial

from tamis.corpus.engines._base import Engine, EngineKind
from tamis.corpus.local import local
from tamis.errors import InputError
from tamis.processes import processors


def _start(workers: int | None, address: str | None) -> Engine:
    if address:
        raise InputError("--address is that of a Ray cluster; give --engine ray, too")
    return partial(local, workers=workers or processors())


LOCAL = EngineKind("local", "by processes here", _start)
