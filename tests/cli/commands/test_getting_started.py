"""`tamis methods`, and the program as a whole."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass, field

import pytest
from click.testing import CliRunner

import tamis
from tamis.cli import main
from tamis.cli.parameters import read_parameters
from tamis.errors import MethodError
from tamis.methods import _registry


@pytest.fixture(autouse=True)
def _width(monkeypatch: pytest.MonkeyPatch) -> None:
    """The terminal of who runs the tests may have any."""
    monkeypatch.setenv("COLUMNS", "100")


def test_every_method_is_listed_with_its_description() -> None:
    result = CliRunner().invoke(main, ["methods"])
    assert (result.exit_code, result.stderr) == (0, "")
    starts = [line.split(" ")[0] for line in result.stdout.splitlines()]
    assert [name for name in starts if name] == list(tamis.list_methods())
    assert "(no description)" not in result.stdout


def test_the_default_is_marked() -> None:
    output = CliRunner().invoke(main, ["methods"]).stdout
    assert output.count("(default)") == 1
    assert output.partition("\ntamis ")[2].partition("\n  ")[0].endswith("(default)")


def test_what_must_be_fitted_is_marked() -> None:
    output = CliRunner().invoke(main, ["methods"]).stdout
    assert " ".join(output.split()).count("(fitted to a site)") == 5


def test_the_table_fits_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    lines = CliRunner().invoke(main, ["methods"]).stdout.splitlines()
    assert max(map(len, lines)) <= 60


def test_json_has_the_defaults_of_the_parameters() -> None:
    listed = json.loads(CliRunner().invoke(main, ["methods", "--format", "json"]).stdout)
    assert [method["name"] for method in listed] == list(tamis.list_methods())
    keys = {"name", "summary", "default", "fitted", "parameters"}
    assert all(set(method) == keys for method in listed)
    assert [method["name"] for method in listed if method["default"]] == ["tamis"]
    fitted = ["content_extractor", "infodiscoverer", "site_style_tree", "x_cex", "xpath_site"]
    assert [method["name"] for method in listed if method["fitted"]] == fitted
    boilerpipe = next(method for method in listed if method["name"] == "boilerpipe")
    assert boilerpipe["summary"]
    assert boilerpipe["parameters"]


def test_help_names_the_commands_and_has_examples() -> None:
    output = CliRunner().invoke(main, ["--help"]).stdout
    for command in ("extract", "methods", "page", "tamis extract article.html"):
        assert command in output


def test_the_version_says_whether_the_scanner_is_compiled() -> None:
    output = CliRunner().invoke(main, ["--version"]).stdout
    assert output.startswith("tamis ")
    assert "compiled" in output


def test_an_unknown_command_is_wrong_usage() -> None:
    result = CliRunner().invoke(main, ["extrct", "page.html"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "extrct" in result.stderr


def test_a_bug_is_reported_in_one_line_and_not_as_wrong_input(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(name: str) -> type:
        raise RuntimeError("two\nlines")

    monkeypatch.setattr(_registry, "get", broken)
    result = CliRunner().invoke(main, ["methods"])
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("tamis: RuntimeError: two lines; this is a bug in tamis")


def test_help_loads_neither_httpx_nor_a_method_file() -> None:
    code = (
        "import sys; from tamis.cli import main\n"
        "main(['extract', '--help'], standalone_mode=False)\n"
        "print(*sorted(sys.modules), sep='\\n')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=300
    )
    loaded = set(done.stdout.split("\n"))
    assert "tamis.cli" in loaded
    assert not loaded & {"httpx", "tamis.web.fetch", "asyncio", "tamis.methods.boilerpipe"}


@dataclass(frozen=True)
class Tuned:
    """A method with a parameter of every type."""

    name: str = "a"
    words: int = 5
    links: float = 0.3
    strict: bool = False
    window: int | None = None
    weights: tuple[float, ...] = field(default_factory=tuple)


@pytest.fixture
def tuned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every name stand for the method `Tuned`."""
    monkeypatch.setattr(_registry, "get", lambda name: Tuned)


@pytest.mark.usefixtures("tuned")
@pytest.mark.parametrize(
    ("assignment", "value"),
    [
        ("name=7", "7"),
        ("name=a=b", "a=b"),
        ("name=", ""),
        ("words=12", 12),
        ("links=1", 1.0),
        ("strict=yes", True),
        ("strict=False", False),
        ("window=3", 3),
        ("window=0.5", 0.5),
        ("window=wide", "wide"),
    ],
)
def test_a_parameter_takes_the_type_of_its_default(assignment: str, value: object) -> None:
    (read,) = read_parameters("tuned", [assignment]).values()
    assert (read, type(read)) == (value, type(value))


@pytest.mark.usefixtures("tuned")
@pytest.mark.parametrize(
    ("assignment", "wanted"),
    [
        ("words=1.5", "'1.5' is not a whole number; the default is words=5"),
        ("links=few", "'few' is not a number; the default is links=0.3"),
        ("strict=maybe", "'maybe' is not true or false; the default is strict=False"),
        ("word=1", "did you mean words?"),
        ("words", "write words=VALUE"),
    ],
)
def test_a_parameter_that_does_not_fit_is_explained(assignment: str, wanted: str) -> None:
    with pytest.raises(MethodError, match=re.escape(wanted)):
        read_parameters("tuned", [assignment])


@pytest.mark.usefixtures("tuned")
def test_every_default_has_a_place_in_the_table() -> None:
    output = CliRunner().invoke(main, ["methods"]).stdout
    assert "name=a  words=5  links=0.3  strict=False  window=None  weights=()" in output
