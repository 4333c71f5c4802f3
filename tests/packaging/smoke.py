"""Whether an installed tamis works as a whole; run by the Python that it is installed for.

    python tests/packaging/smoke.py             # tamis is compiled
    python tests/packaging/smoke.py --slow      # it is not, and says so

Needs nothing but what tamis itself needs, and nothing of the checkout: the pages are those that
come with tamis. artefacts.py and cibuildwheel run this for every wheel.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import sysconfig
import time
import warnings
from importlib import metadata
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

COMMANDS = (
    "extract", "explain", "corpus", "convert", "serve", "mcp", "project", "cloud", "site",
    "methods", "page", "slope", "bench", "train", "labels", "completion",
)  # fmt: skip
FORMATS = ("text", "markdown", "html", "json")
SITE = sysconfig.get_path("purelib")
TAMIS = Path(sysconfig.get_path("scripts"), "tamis.exe" if os.name == "nt" else "tamis")


def run(*command: object, text: str = "") -> str:
    """What a command prints; it has to succeed, and away from any checkout."""
    with TemporaryDirectory() as elsewhere:
        done = subprocess.run(
            [str(each) for each in command],
            cwd=elsewhere,
            input=text,
            capture_output=True,
            encoding="utf-8",
            env=os.environ | {"PYTHONIOENCODING": "utf-8", "PYTHONPATH": ""},
        )
    if done.returncode:
        raise SystemExit(f"{command} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def check_import() -> str:
    """Importing tamis and reading a page loads numpy, and no other package."""
    code = (
        "import sys; before = set(sys.modules); import tamis; tamis.extract('<p>x').text;"
        "print(*{name.partition('.')[0] for name in set(sys.modules) - before})"
    )
    loaded = set(run(sys.executable, "-W", "ignore", "-c", code).split())
    # Compiled modules put two names of Cython's there, without its being installed.
    foreign = {
        name
        for name in loaded - sys.stdlib_module_names - {"tamis", "numpy", "cython_runtime"}
        if not name.startswith("_cython")
    }
    assert "numpy" in loaded and not foreign, f"importing tamis loads {foreign}"
    times = []
    for _ in range(3):
        started = time.perf_counter()
        run(sys.executable, "-W", "ignore", "-c", "import tamis")
        times.append(time.perf_counter() - started)
    return f"imported in {1000 * min(times):.0f} ms"


def check_library(slow: bool) -> str:
    """Every method and every view of the pages that come with tamis."""
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        import tamis
    said = [str(each.message) for each in warned if "uncompiled" in str(each.message)]
    assert bool(said) == slow, said
    home = Path(tamis.__file__).parent
    assert home == Path(SITE, "tamis"), f"{home} is not what was installed"
    assert metadata.version("tamis") == tamis.__version__
    assert (home / "py.typed").exists()
    pages = sorted((home / "serve" / "page" / "examples").glob("*.html"))
    assert pages
    for page in pages[:1] if slow else pages:
        result = tamis.extract(page)
        assert len(result.text) > 500 and result.markdown and result.html
        assert result.metadata.title and result.page_type
        assert json.dumps(result.to_dict()) and result.explain() and list(result.chunks())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Thai is cut better with an extra
            assert result.cloud()
    site = [page.read_text("utf-8") for page in pages]
    for method in ("baseline", "tamis") if slow else tamis.list_methods():
        try:
            result = tamis.extract(site[0], method=method)
        except tamis.MethodError:  # it has to be fitted to a site
            result = tamis.Site().fit(site * 2, method=method).extract(site[0])
        assert result.text or method != "tamis"
    many = list(tamis.extract_many(site, workers=2))
    assert all(isinstance(each, tamis.Result) and len(each.text) > 500 for each in many)
    return f"{len(tamis.list_methods())} methods"


def check_commands(slow: bool) -> str:
    """The command that is installed, and all of its commands."""
    version = run(TAMIS, "--version")
    assert ("(compiled)" in version) != slow, version
    assert run(sys.executable, "-m", "tamis", "--version") == version
    page = files("tamis") / "serve" / "page" / "examples" / "news.html"
    # Without compiled modules everything takes its time, and is the same but for that.
    for command in COMMANDS[:2] if slow else COMMANDS:
        assert "Usage: tamis" in run(TAMIS, command, "--help")
    for form in FORMATS[:1] if slow else FORMATS:
        assert len(run(TAMIS, "extract", page, "--format", form)) > 500
    for command in ("convert",) if slow else ("explain", "convert", "page", "slope"):
        assert run(TAMIS, command, page)
    assert "Larkspur" in run(TAMIS, "extract", "-", text=page.read_text("utf-8"))
    return version.strip()


def main() -> None:
    """Check everything and say so in one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--slow", action="store_true", help="tamis is not compiled, and says so")
    slow = parser.parse_args().slow
    python = sys.version.partition(" ")[0]
    # The library first: tamis says once that it is slow, when it is imported.
    library = check_library(slow)
    print(f"Python {python}: {check_commands(slow)}, {check_import()}, {library}")


if __name__ == "__main__":
    main()
