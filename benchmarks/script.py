"""What the scripts of this folder begin and end with: a command line and a file of results."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

import click

from tamis.errors import TamisError
from tamis.labels.datasets import data_folder

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"

# What tests and benchmarks share is in tests, imported after this module.
sys.path.append(str(ROOT))


def parser(description: str | None, *, shared: bool = True) -> argparse.ArgumentParser:
    """A parser that shows the docstring of a script as it is, with --data where it needs that."""
    made = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    if shared:
        add_data(made)
    return made


def find_data() -> Path:
    """The folder with datasets/NAME.jsonl.xz in it, if the command line does not say."""
    beside = ROOT.parent / "shared"
    return data_folder() if "TAMIS_DATA" in os.environ or not beside.exists() else beside


def add_data(made: argparse.ArgumentParser) -> None:
    """The option for the folder with datasets/NAME.jsonl.xz in it, as `shared`."""
    made.add_argument(
        "--data",
        "--shared",
        dest="shared",
        metavar="FOLDER",
        type=Path,
        default=find_data(),
        help="folder with datasets/NAME.jsonl.xz in it (default: $TAMIS_DATA, else ../shared beside"
        " the repository, else where `python benchmarks/data.py get` puts them)",
    )


class Command(click.Command):
    """A command that ends with one line on stderr and exit code 2 after a `TamisError`."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except TamisError as error:
            click.echo(f"{ctx.info_name}: {error}", err=True)
            ctx.exit(2)


class Program(Command, click.Group):
    """Commands of that kind under one name."""


def write(path: Path, result: Any) -> None:
    """Write the results of a run as JSON that reads well in a diff."""
    path.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
