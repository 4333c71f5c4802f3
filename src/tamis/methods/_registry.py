"""The folder is the registry: every file without an underscore, here or in a room, is a method."""

from __future__ import annotations

import dataclasses
import difflib
import importlib
import inspect
import pkgutil
from collections.abc import Mapping
from functools import cache
from typing import Any

from tamis import methods as _folder
from tamis.errors import MethodError
from tamis.methods._base import Method
from tamis.methods._shared.site_method import SiteMethod

DEFAULT = "tamis"
"""The method that is used unless another is named."""


@cache
def _find_modules() -> dict[str, str]:
    """The module of each method by the name of the method."""
    found = pkgutil.walk_packages(_folder.__path__, f"{_folder.__name__}.")
    files = [module.name for module in found if not module.ispkg and "._" not in module.name]
    return {file.rpartition(".")[2]: file for file in files}


def names() -> tuple[str, ...]:
    """Names of all methods, sorted."""
    return tuple(sorted(_find_modules()))


def site_methods() -> tuple[str, ...]:
    """Names of the methods that are fitted to the pages of a site."""
    return tuple(name for name in names() if issubclass(get(name), SiteMethod))


def get(name: str) -> type[Method]:
    """The class of a method."""
    # A dash reads better on a command line, a file name needs an underscore.
    stem = name.replace("-", "_")
    if stem not in names():
        near = difflib.get_close_matches(stem, names(), n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(names())}"
        raise MethodError(f"no method is called {name!r}; {hint}")
    return _class(stem)


@cache
def _class(stem: str) -> type[Method]:
    module = importlib.import_module(_find_modules()[stem])
    (method,) = (
        thing
        for thing in vars(module).values()
        if isinstance(thing, type)
        and issubclass(thing, Method)
        and thing.__module__ == module.__name__
    )
    return method


def defaults_of(method: type[Any]) -> dict[str, Any]:
    """The parameters of a method with their defaults, in the order of the file."""
    return {
        field.name: field.default_factory()
        if field.default_factory is not dataclasses.MISSING
        else field.default
        for field in _fields(method)
        if field.init and not field.name.startswith("_")
    }


def _fields(method: type[Any]) -> tuple[dataclasses.Field[Any], ...]:
    """Those of a dataclass; a class of somebody's own need not be one."""
    return dataclasses.fields(method) if dataclasses.is_dataclass(method) else ()


def describe(name: str) -> dict[str, Any]:
    """Name, summary and parameters of a method, and whether it is the usual one, or fitted."""
    method = get(name)
    return {
        "name": name,
        "summary": inspect.cleandoc(method.__doc__ or "").partition("\n")[0],
        "default": name == DEFAULT,
        "fitted": issubclass(method, SiteMethod),
        "parameters": defaults_of(method),
    }


@cache
def _usual(method: type[Method]) -> Method:
    return method()


def create(name: str, parameters: Mapping[str, Any]) -> Method:
    """A method by its name, with the given parameters, the others at their defaults."""
    return make(get(name), name, parameters)


def make(method: type[Method], name: str, parameters: Mapping[str, Any]) -> Method:
    """A method of a class, with the given parameters; `name` is for the messages."""
    known = [field.name for field in _fields(method) if field.init]
    for parameter in parameters:
        if parameter not in known:
            there_are = ", ".join(known) or "none"
            raise MethodError(
                f"method {name!r} has no parameter {parameter!r}; it has: {there_are}"
            )
    try:
        return method(**parameters) if parameters else _usual(method)
    except (TypeError, ValueError) as error:
        raise MethodError(f"method {name!r}: {error}") from error
