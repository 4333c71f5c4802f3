"""What takes part in a bench: our methods with their parameters, and other people's libraries.

A contestant is described by plain values, so that a worker process can load it by itself.
"""

from __future__ import annotations

import hashlib
import importlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from tamis.errors import WeightsError
from tamis.flow import extract
from tamis.method_choices import MethodLike, is_model, is_name, pin
from tamis.options import Options

Extractor = Callable[[str | bytes], str]
_PACKAGE = Path(__file__).parents[1]
# Parts of the package on which no output of a method depends.
_APART = frozenset(["cli", "bench", "labels"])
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
    """Whether it is a method, of tamis or of the caller's own; else another library."""

    @property
    def fingerprint(self) -> str:
        """A name for this loader, these arguments and this version, for the cache."""
        described = json.dumps(
            [self.loader, self.arguments, self.version], sort_keys=True, default=str
        )
        return hashlib.sha256(described.encode()).hexdigest()[:16]

    def load(self) -> Extractor:
        module, _, function = self.loader.partition(":")
        extractor: Extractor = getattr(importlib.import_module(module), function)(*self.arguments)
        return extractor


def make_contestant(choice: MethodLike, parameters: Mapping[str, Any] | None = None) -> Contestant:
    """A method, however it is given. Raises `MethodError` if there is none such, or no parameter.

    A hash of the file of a method of the caller's own is among its arguments. With weights of the
    caller's own, their content is part of the version: training again writes other weights to the
    same path.
    """
    text, values = pin(choice, dict(sorted((parameters or {}).items())))
    weights = values.get("weights")
    described = "".join(f" {key}={value}" for key, value in values.items())
    return Contestant(
        f"{_short_name(text)}{described}",
        f"{__name__}:load_method",
        (text, tuple(values.items())),
        f"{source_hash()} {_file_hash(weights)}" if weights else source_hash(),
        ours=True,
    )


def _short_name(text: str) -> str:
    """What a table calls a method that `pin` wrote down: its name, its class or its file."""
    if is_name(text):
        return text
    without_hash = text.rpartition("@")[0] or text
    return Path(without_hash).name if is_model(text) else without_hash.rpartition(":")[2]


def name_apart(contestants: Iterable[Contestant]) -> list[Contestant]:
    """The contestants; those that share a name, as classes of two files may, with their source."""
    contestants = list(dict.fromkeys(contestants))
    counts = Counter(each.name for each in contestants)
    return [
        replace(each, name=f"{each.name} ({each.arguments[0]})") if counts[each.name] > 1 else each
        for each in contestants
    ]


def load_method(text: str, parameters: Iterable[tuple[str, Any]]) -> Extractor:
    """The extractor of a method that `pin` wrote down."""
    options = Options(method=text, parameters=dict(parameters))
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
