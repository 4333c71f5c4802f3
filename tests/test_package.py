"""What the package shows of itself, and what importing it costs."""

from __future__ import annotations

import ast
import doctest
import importlib
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from types import ModuleType

import pytest

import tamis

ROOT = Path(tamis.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))

HEAVY = (
    "click", "httpx", "turbohtml", "lxml", "sklearn", "lightgbm", "scipy", "pandas", "matplotlib",
    "selectolax", "resiliparse", "trafilatura", "cython", "Cython", "multiprocessing",
    "asyncio", "ssl", "starlette", "fastapi", "uvicorn", "pydantic", "orjson", "pythainlp",
    "nlpo3", "rjieba", "icu4py", "PIL", "fastwarc", "pyarrow", "fsspec", "zstandard", "brotli",
    "ray", "protego", "prometheus_client",
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


def test_the_public_names_are_those_that_the_architecture_page_lists() -> None:
    assert tamis.__all__ == sorted(tamis.__all__)
    page = (ROOT.parent.parent / "docs" / "explanation" / "architecture.md").read_text("utf-8")
    (listed,) = re.findall(r"<!-- public -->(.*?)<!-- end -->", page, re.DOTALL)
    assert re.findall(r"`(\w+)`", listed) == tamis.__all__
    assert dir(tamis) == sorted([*tamis.__all__, "__version__"])


def test_every_public_name_is_there_and_none_is_a_module() -> None:
    modules = {path.stem for path in ROOT.iterdir()}
    for name in tamis.__all__:
        assert not isinstance(getattr(tamis, name), ModuleType)
        assert name not in modules
    assert not hasattr(tamis, "Sight")


def test_every_error_is_public() -> None:
    errors = importlib.import_module("tamis.errors")
    assert {name for name, thing in vars(errors).items() if isinstance(thing, type)} <= set(
        tamis.__all__
    )


def test_a_class_name_exists_once() -> None:
    names = [
        node.name
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    ]
    assert [name for name, count in Counter(names).items() if count > 1] == []


def test_every_public_name_is_documented() -> None:
    for name in tamis.__all__:
        public = getattr(tamis, name)
        assert public.__doc__, name
        if isinstance(public, type):
            for part, value in vars(public).items():
                computed = isinstance(value, property | classmethod | staticmethod)
                if (computed or callable(value)) and not part.startswith("_"):
                    assert value.__doc__, f"{name}.{part}"


def test_the_version_is_that_of_the_distribution() -> None:
    assert tamis.__version__ == metadata.version("tamis")


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
    files = [path for path in (ROOT / "methods").rglob("[!_]*.py") if "_shared" not in path.parts]
    assert {path.stem for path in files} == {*tamis.list_methods()}
    for path in files:
        others = {module_name(other) for other in files if other != path}
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


@pytest.mark.parametrize("name", ["tamis.flow", "tamis.many", "tamis.site.model"])
def test_the_examples_in_the_documentation_run(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted
    assert not result.failed


def test_tables_that_a_command_writes_name_one_that_is_there() -> None:
    tables = [
        (command, rows)
        for page in sorted((ROOT.parent.parent / "docs").rglob("*.md"))
        for command, rows in re.findall(
            r"<!-- figures: (\S+).*? -->\n(.*?)<!-- end of figures -->",
            page.read_text("utf-8"),
            re.DOTALL,
        )
    ]
    assert tables
    for command, rows in tables:
        assert command == "tamis" or (ROOT.parent.parent / "benchmarks" / command).is_file()
        assert rows.startswith("|")
