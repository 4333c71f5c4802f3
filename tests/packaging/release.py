"""What a release is checked for, and its notes; the workflow `release` and RELEASING.md run this.

python tests/packaging/release.py check v0.2.0   # fails, and says why, if that may not be released
python tests/packaging/release.py notes          # the section of the version in the changelog
"""

from __future__ import annotations

import re
import runpy
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
# Whoever finds a project on a package index wants to get to these.
WANTED_LINKS = {"Source", "Issues", "Changelog"}


def version() -> str:
    """The version of this checkout, without importing tamis."""
    found: str = runpy.run_path(str(ROOT / "src" / "tamis" / "_runtime" / "version.py"))[
        "__version__"
    ]
    return found


def section(changelog: str, wanted: str) -> tuple[str, str]:
    """The date and the text of a version in the changelog; both empty if it has none."""
    pattern = rf"^## {re.escape(wanted)}(?:, (\d{{4}}-\d\d-\d\d))?\n(.*?)(?=^## |\Z)"
    match = re.search(pattern, changelog, re.DOTALL | re.MULTILINE)
    return (match[1] or "", match[2].strip()) if match else ("", "")


def faults(tag: str, changelog: str, project: dict[str, dict[str, str]]) -> list[str]:
    """What speaks against a release under this tag."""
    found = []
    if tag != f"v{version()}":
        found.append(f"the tag is {tag}, but src/tamis/_runtime/version.py says {version()}")
    date, text = section(changelog, version())
    if not (date and text):
        found.append(f"CHANGELOG.md has no section '## {version()}, YYYY-MM-DD' with text in it")
    if re.search(r"^## Unreleased", changelog, re.MULTILINE):
        found.append("CHANGELOG.md still has a section '## Unreleased'")
    missing = WANTED_LINKS - set(project.get("urls", {}))
    if missing:
        found.append(f"[project.urls] of pyproject.toml lacks {', '.join(sorted(missing))}")
    return found


def main(words: list[str]) -> int:
    """Check a tag, or print the notes."""
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    if words == ["notes"]:
        print(section(changelog, version())[1])
        return 0
    if len(words) != 2 or words[0] != "check":
        print(__doc__, file=sys.stderr)
        return 2
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    found = faults(words[1], changelog, project)
    print("\n".join(found) or f"{words[1]} can be released")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
