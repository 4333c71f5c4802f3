"""No regular expression of tamis reads a text again and again.

docs/explanation/decisions/025-linear-patterns.md has the rule.
"""

from __future__ import annotations

import ast
import importlib
import math
import pkgutil
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard

import pytest

import tamis
from tamis.cloud import segment
from tests.backtracking import degree_of
from tests.capped_patterns import CAPPED, PROVED, TRUSTED

SOURCE = Path(tamis.__file__).parent
READING = {"search", "sub", "subn", "match", "fullmatch", "findall", "finditer", "split"}
ANCHORED = {"match", "fullmatch"}
"""Methods that begin at one place; the others begin at every one."""

BUILT: dict[str, Callable[[], Iterable[re.Pattern[str]]]] = {
    "tamis.cloud.segment._name_script": lambda: (
        re.compile(f"[{letters}]") for letters in segment.SPACELESS.values()
    ),
}
"""Functions that make patterns, and all that they make."""


class Use(NamedTuple):
    """A pattern and the methods that are called."""

    name: str
    pattern: re.Pattern[Any]
    methods: frozenset[str]

    @property
    def degree(self) -> float:
        """The power of the length of a text with which its work may grow."""
        is_searched = not self.methods or not self.methods <= ANCHORED
        return degree_of(self.pattern, is_searched, "fullmatch" in self.methods)


class Module(NamedTuple):
    """A module of tamis and its syntax."""

    name: str
    tree: ast.Module


@cache
def read_modules() -> list[Module]:
    modules = []
    for path in sorted(SOURCE.rglob("*.py")):
        parts = ("tamis", *path.relative_to(SOURCE).with_suffix("").parts)
        name = ".".join(parts).removesuffix(".__init__")
        modules.append(Module(name, ast.parse(path.read_bytes())))
    return modules


@cache
def methods_of_names() -> dict[tuple[str, str], frozenset[str]]:
    """What is called of each name of a module, there and where it is imported.

    A name that is used in any other way, as an argument for example, has the method "any".
    """
    methods: dict[tuple[str, str], set[str]] = defaultdict(set)
    for module in read_modules():
        nodes = list(ast.walk(module.tree))
        origin = {
            alias.asname or alias.name: (node.module, alias.name)
            for node in nodes
            if isinstance(node, ast.ImportFrom) and node.module
            for alias in node.names
        }
        called = {id(node.value): node.attr for node in nodes if isinstance(node, ast.Attribute)}
        for node in nodes:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                key = origin.get(node.id, (module.name, node.id))
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                owner = origin.get(node.value.id, (module.name, ""))
                is_own = not owner[1] or node.value.id in ("self", "cls")
                key = (module.name if is_own else ".".join(owner), node.attr)
            else:
                continue
            methods[key].add(called.get(id(node), "any"))
    return {name: frozenset(names - {"pattern", "flags"}) for name, names in methods.items()}


def patterns_within(name: str, value: object) -> Iterator[tuple[str, re.Pattern[Any]]]:
    """The patterns in a value of a module: itself, or within a class or a container."""
    if isinstance(value, re.Pattern):
        yield name, value
    elif isinstance(value, type):
        for inner_name, inner in vars(value).items():
            if isinstance(inner, re.Pattern | tuple | list):
                yield from patterns_within(inner_name, inner)
    elif isinstance(value, tuple | list | set | frozenset):
        for inner in value:
            if isinstance(inner, re.Pattern | tuple):
                yield from patterns_within(name, inner)
    elif isinstance(value, dict):
        yield from patterns_within(name, (*value, *value.values()))


def global_patterns() -> Iterator[Use]:
    """The patterns that modules and classes have."""
    methods = methods_of_names()
    for found in pkgutil.walk_packages(tamis.__path__, "tamis."):
        if found.name.startswith("tamis.integrations.") or found.name.endswith("__main__"):
            continue
        module = importlib.import_module(found.name)
        for name, value in vars(module).items():
            if (found.name, name) in assigned_names():
                for own_name, pattern in patterns_within(name, value):
                    called = methods.get((found.name, own_name), frozenset())
                    yield Use(f"{found.name}.{own_name}", pattern, called)


@cache
def assigned_names() -> set[tuple[str, str]]:
    """What modules assign or define, rather than import."""
    return {
        (module.name, name.id if isinstance(name, ast.Name) else name.name)
        for module in read_modules()
        for name in ast.walk(module.tree)
        if isinstance(name, ast.ClassDef)
        or (isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store))
    }


def calls_in_functions() -> Iterator[tuple[str, ast.Call]]:
    """Calls of functions of `re` inside functions, with the names of these."""
    for module in read_modules():
        for function in ast.walk(module.tree):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                for call in ast.walk(function):
                    if is_call_of_re(call):
                        yield f"{module.name}.{function.name}", call


def is_call_of_re(node: ast.AST) -> TypeGuard[ast.Call]:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "re"
        and node.func.attr in READING | {"compile"}
    )


def local_patterns() -> Iterator[Use]:
    """The patterns inside functions."""
    made = {name: list(make()) for name, make in BUILT.items()}
    for function, call in calls_in_functions():
        assert isinstance(call.func, ast.Attribute)
        try:
            text = ast.literal_eval(call.args[0])
        except ValueError:
            assert function in BUILT, f"{function} makes a pattern: list it in BUILT"
            for pattern in made.pop(function):
                yield Use(function, pattern, frozenset(("fullmatch",)))
            continue
        flags = [word.value for word in call.keywords if word.arg == "flags"]
        flags += [node for node in call.args[1:] if ast.unparse(node).startswith("re.")]
        value = eval(ast.unparse(flags[0]), {"re": re}) if flags else 0
        yield Use(function, re.compile(text, value), frozenset((call.func.attr,)))
    assert not made, "a function that makes no pattern"


@pytest.fixture(scope="module")
def uses() -> list[Use]:
    return [*global_patterns(), *local_patterns()]


def test_every_pattern_is_seen(uses: list[Use]) -> None:
    inside = {id(call) for _, call in calls_in_functions()}
    for module in read_modules():
        calls = {
            ast.unparse(node)
            for node in ast.walk(module.tree)
            if is_call_of_re(node) and id(node) not in inside
        }
        seen = {use.pattern.pattern for use in uses if use.name.rpartition(".")[0] == module.name}
        assert len(seen) >= len(calls), f"{module.name} has patterns that the test does not find"


def test_every_pattern_is_linear_or_reads_little(uses: list[Use]) -> None:
    steep: dict[str, float] = {}
    for use in uses:
        steep[use.name] = max(steep.get(use.name, 1), use.degree)
    steep = {name: degree for name, degree in steep.items() if degree > 1}
    known = CAPPED.keys() | PROVED.keys() | TRUSTED.keys()
    assert steep.keys() - known == set(), "mend them, or cut what they read and list them"
    assert known - steep.keys() == set(), "these are linear: take them out of the tables"
    for name, (longest, _) in CAPPED.items():
        assert longest ** steep[name] < 10_000_000, f"{name} reads too much"


@pytest.mark.parametrize(
    ("pattern", "degree"),
    [
        (r"\s+", 1),
        (r"<\s*>", 1),
        (r"\bon\w*\s*=", 1),
        (r"(?<!\d)\d+,", 1),
        (r"(?m)^[^\S\n]*\[", 1),
        (r"[^\W_]\w*(?<!_)", 1),
        (r"a{0,90}b", 1),
        (r"(?:ab|a)*", 1),
        (r"\s+$", 2),
        (r"on\w*\s*=", 2),
        (r"\{.*\}", 2),
        (r"(?m)^\s*\[", 2),
        (r"a(?:[ab]*c)?", 2),
        (r"(?=\s*,)", 2),
        (r"[a-z]{1,500}1", 2),
        (r"\S+@\S+\.\S+", 3),
        (r"(a+)+b", math.inf),
        (r"(?:ab|a|b)*c", math.inf),
        (r"(?:k|.)*c", math.inf),
        (rb"(?:<[^>]*|[^<]*)*>", math.inf),
    ],
)
def test_the_check_knows_what_repeats(pattern: str | bytes, degree: float) -> None:
    assert degree_of(re.compile(pattern), is_searched=True, may_fail_after=False) == degree


@pytest.mark.parametrize(
    ("pattern", "may_fail_after", "degree"),
    [
        (r"\s+$", False, 1),
        (r"\s*,?\s*;", False, 2),
        (r"\w*\w*", False, 1),
        (r"\w*\w*", True, 2),
        (r"(?:a|b|ab)*", True, math.inf),
    ],
)
def test_the_check_knows_where_a_match_begins_and_ends(
    pattern: str, may_fail_after: bool, degree: float
) -> None:
    assert degree_of(re.compile(pattern), False, may_fail_after) == degree
