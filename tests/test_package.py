"""What the package shows of itself, and what importing it costs."""

from __future__ import annotations

import ast
import doctest
import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import tamis

ROOT = Path(tamis.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))

HEAVY = (
    "click", "httpx", "turbohtml", "lxml", "sklearn", "lightgbm", "scipy", "pandas", "matplotlib",
    "wordcloud", "selectolax", "resiliparse", "trafilatura", "cython", "Cython", "multiprocessing",
    "asyncio", "ssl", "starlette", "fastapi", "pythainlp", "nlpo3", "rjieba", "icu4py", "PIL",
    "fastwarc", "pyarrow", "fsspec", "zstandard", "ray",
)  # fmt: skip


def module_name(path: Path) -> str:
    parts = (*path.relative_to(ROOT.parent).with_suffix("").parts,)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path) -> Iterator[str]:
    """Full names of what a file imports."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def run(code: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout


# The public surface


def test_the_public_names_are_these() -> None:
    assert tamis.__all__ == sorted(tamis.__all__)
    assert set(tamis.__all__) == {
        "Options",
        "Page",
        "Result",
        "Site",
        "TamisError",
        "cloud",
        "extract",
        "extract_many",
        "methods",
        "parse",
    }


def test_every_public_name_is_there_and_nothing_else_is() -> None:
    shown = {
        name
        for name, thing in vars(tamis).items()
        if not name.startswith("_") and not isinstance(thing, ModuleType)
    }
    assert shown == set(tamis.__all__) - {"Site"}, "Site is loaded when asked for"
    assert all(hasattr(tamis, name) for name in tamis.__all__)
    assert not hasattr(tamis, "Sight")


def test_every_public_name_is_documented() -> None:
    for name in tamis.__all__:
        assert getattr(tamis, name).__doc__, name


def test_the_version_is_that_of_the_distribution() -> None:
    pyproject = ROOT.parent.parent / "pyproject.toml"
    assert f'version = "{tamis.__version__}"' in pyproject.read_text("utf-8")


def test_every_error_is_a_tamis_error_and_in_the_drawn_tree() -> None:
    errors = importlib.import_module("tamis.errors")
    for name, thing in vars(errors).items():
        if isinstance(thing, type):
            assert issubclass(thing, tamis.TamisError)
            assert name in (errors.__doc__ or "")


# Imports


def test_importing_tamis_loads_nothing_heavy() -> None:
    loaded = run("import sys, tamis; print(*{name.partition('.')[0] for name in sys.modules})")
    assert set(loaded.split()).isdisjoint(HEAVY)


def test_extracting_a_utf8_page_loads_nothing_heavy() -> None:
    loaded = run(
        "import sys, tamis; tamis.extract('<p>x').to_dict(); tamis.extract('<p>é'.encode());"
        "print(*sys.modules)"
    )
    assert "tamis.methods.tamis" in loaded.split()
    tops = {name.partition(".")[0] for name in loaded.split()}
    assert tops.isdisjoint(HEAVY)
    assert {"sklearn", "lightgbm", "scipy"} <= set(HEAVY)


def test_methods_do_not_import_each_other() -> None:
    for path in (ROOT / "methods").glob("[!_]*.py"):
        others = {f"tamis.methods.{name}" for name in tamis.list_methods() if name != path.stem}
        assert others.isdisjoint(name.rpartition(".")[0] for name in imports(path))


@pytest.mark.parametrize("folder", ["methods", "model/features", "page"])
def test_the_core_opens_no_file_and_no_socket(folder: str) -> None:
    for path in (ROOT / folder).rglob("*.py"):
        tops = {name.partition(".")[0] for name in imports(path)}
        assert tops.isdisjoint({"io", "os", "pathlib", "socket", "urllib", "http", "httpx"}), path
        names = {
            node.id
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.Name)
        }
        assert "open" not in names, path


# Documentation


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_a_module_says_what_it_is(path: Path) -> None:
    documentation = ast.get_docstring(ast.parse(path.read_text("utf-8")))
    assert documentation
    assert documentation.split("\n")[0].rstrip().endswith((".", ":"))


@pytest.mark.parametrize("name", ["tamis.flow", "tamis.many", "tamis.page.read"])
def test_the_examples_in_the_documentation_run(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted
    assert not result.failed
