"""What every adapter has; each is tested against its library in tests/integrations."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamis.cli import main

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "tamis"
ADAPTERS = sorted(path.stem for path in (SOURCE / "integrations").glob("[!_]*.py"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return names


@pytest.mark.parametrize("name", ADAPTERS)
def test_an_adapter_has_an_extra_a_test_and_a_page_that_the_list_names(name: str) -> None:
    assert name.replace("_", "-") in PROJECT["optional-dependencies"]
    assert (ROOT / "tests" / "integrations" / f"test_{name}.py").is_file()
    pages = ROOT / "docs" / "how-to" / "integrations"
    page = (pages / f"{name}.md").read_text("utf-8")
    assert f"pip install 'tamis[{name.replace('_', '-')}]'" in page
    assert f"]({name}.md)" in (pages / "index.md").read_text("utf-8")


def test_adapters_import_no_other_and_nobody_imports_them_but_the_command() -> None:
    users = {
        str(path.relative_to(SOURCE)): found
        for path in SOURCE.rglob("*.py")
        if (found := {name for name in imported(path) if "tamis.integrations" in name})
    }
    assert users.pop("cli/commands/servers.py") == {"tamis.integrations.mcp"}
    for path, found in users.items():
        assert path.startswith("integrations/")
        assert found == {"tamis.integrations._documents"}


def test_the_plugin_of_markitdown_is_an_entry_point() -> None:
    points = PROJECT["entry-points"]["markitdown.plugin"]
    assert points == {"tamis": "tamis.integrations.markitdown"}


def test_without_its_library_the_command_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tamis._runtime.libraries.find_spec", lambda module: None)
    result = CliRunner().invoke(main, ["mcp"])
    assert result.exit_code == 2
    assert "pip install 'tamis[mcp]'" in result.stderr
