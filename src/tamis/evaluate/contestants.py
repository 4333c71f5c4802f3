"""What takes part in a bench: our methods with their parameters, and other people's libraries.

A contestant is described by plain values, so that a worker process can load it by itself.
"""

from __future__ import annotations

import hashlib
import importlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tamis.errors import WeightsError
from tamis.flow import extract
from tamis.methods import _registry
from tamis.options import Options

Extractor = Callable[[str | bytes], str]
_PACKAGE = Path(__file__).parents[1]
# Parts of the package on which no output of a method depends.
_APART = frozenset(["cli", "evaluate", "fetch.py"])
_SUFFIXES = (".py", ".npz", ".json", ".tsv")


@dataclass(frozen=True, slots=True)
class Contestant:
    """Something that turns a page into text."""

    name: str
    """Its name in tables: `boilerpipe variant=density`, `trafilatura 2.3.1`."""
    loader: str
    """`module:function` that gives the extractor when called with `arguments`."""
    arguments: tuple[Any, ...]
    """Plain values that can be hashed."""
    version: str
    """What its output depends on beside the page and the arguments."""
    ours: bool = False
    """Whether it is a method of tamis."""

    @property
    def fingerprint(self) -> str:
        """A name for this loader, these arguments and this version, for the cache."""
        described = json.dumps(
            [self.loader, self.arguments, self.version], sort_keys=True, default=str
        )
        return hashlib.sha256(described.encode()).hexdigest()[:16]

    def load(self) -> Extractor:
        """Import what it needs and return the extractor."""
        module, _, function = self.loader.partition(":")
        extractor: Extractor = getattr(importlib.import_module(module), function)(*self.arguments)
        return extractor


def method(name: str, parameters: Mapping[str, Any] | None = None) -> Contestant:
    """One of our methods. Raises `MethodError` if there is none of that name or parameter.

    With weights of the caller's own, their content is part of the version: training again writes
    other weights to the same path.
    """
    parameters = dict(sorted((parameters or {}).items()))
    _registry.create(name, parameters)
    stem = name.replace("-", "_")
    described = "".join(f" {key}={value}" for key, value in parameters.items())
    weights = parameters.get("weights")
    return Contestant(
        f"{stem}{described}",
        f"{__name__}:load_method",
        (stem, tuple(parameters.items())),
        f"{source_hash()} {_file_hash(weights)}" if weights else source_hash(),
        ours=True,
    )


def load_method(name: str, parameters: Iterable[tuple[str, Any]]) -> Extractor:
    """The extractor of one of our methods."""
    options = Options(method=name, parameters=dict(parameters))
    return lambda page: extract(page, options=options).text


def _file_hash(path: str) -> str:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError as error:
        raise WeightsError(f"there are no weights at {path}: {error.strerror}") from error


@cache
def source_hash() -> str:
    """A hash of everything in the package that an output can depend on."""
    digest = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*")):
        inside = path.relative_to(_PACKAGE)
        if inside.parts[0] in _APART or path.suffix not in _SUFFIXES:
            continue
        digest.update(f"{inside.as_posix()}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()
