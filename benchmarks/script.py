"""What the scripts of this folder begin and end with: a command line and a file of results."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"

# What tests and benchmarks share is in tests, imported after this module.
sys.path.append(str(ROOT))


def parser(description: str | None, *, shared: bool = True) -> argparse.ArgumentParser:
    """A parser that shows the docstring of a script as it is, with --shared where it needs that."""
    made = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    if shared:
        made.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    return made


def write(path: Path, result: Any) -> None:
    """Write the results of a run as JSON that reads well in a diff."""
    path.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
