"""What is checked before a release, and what the project's own files say."""

from __future__ import annotations

import tomllib
from pathlib import Path

import tamis
from tests.packaging import release

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
LINKS = {"urls": dict.fromkeys(("Source", "Issues", "Changelog"), "https://example.org/")}
TAG = f"v{tamis.__version__}"
GOOD = f"# Changelog\n\n## {tamis.__version__}, 2026-01-02\n\n- Sieves.\n\n## 0.0.1\n\n- Silk.\n"


def test_a_release_needs_its_tag_its_notes_and_the_links_of_the_project() -> None:
    assert release.faults(TAG, GOOD, LINKS) == []
    assert "the tag is v9" in release.faults("v9", GOOD, LINKS)[0]
    assert "no section" in release.faults(TAG, "# Changelog\n", LINKS)[0]
    assert "no section" in release.faults(TAG, GOOD.replace(", 2026-01-02", ""), LINKS)[0]
    assert "Unreleased" in release.faults(TAG, GOOD + "\n## Unreleased\n", LINKS)[0]
    assert "Changelog, Issues, Source" in release.faults(TAG, GOOD, {})[0]


def test_the_notes_are_those_of_one_version() -> None:
    assert release.section(GOOD, tamis.__version__) == ("2026-01-02", "- Sieves.")
    assert release.section(GOOD, "0.0.1") == ("", "- Silk.")
    assert release.section(GOOD, "3") == ("", "")


def test_the_changelog_has_the_version_of_today_or_what_is_to_come() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert release.section(changelog, tamis.__version__)[1] or release.section(
        changelog, "Unreleased"
    )


def test_every_python_that_is_named_is_built_and_tested() -> None:
    named = [
        each.rpartition(" ")[2]
        for each in PROJECT["project"]["classifiers"]
        if each.startswith("Programming Language :: Python :: 3.")
    ]
    assert PROJECT["project"]["requires-python"] == f">={named[0]}"
    built = PROJECT["tool"]["cibuildwheel"]["build"].split()
    assert built == [f"cp{version.replace('.', '')}-*" for version in named]
    workflow = (ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8")
    assert f"python: [{', '.join(repr(each) for each in named)}]".replace("'", '"') in workflow


def test_every_extra_of_the_tests_is_in_the_list_of_what_may_be_missing() -> None:
    """`make test` refuses to run without the modules that conftest.py lists."""
    extras = PROJECT["project"]["optional-dependencies"]
    heavy = ("ray", "lightgbm", "scikit-learn", "pandas", "scipy", "nodejs", "pyarrow")
    assert not [each for each in extras["dev"] if each.startswith(heavy)]
    assert extras["test"][0] == "tamis[dev,cloud,pandas,ray,train]"
