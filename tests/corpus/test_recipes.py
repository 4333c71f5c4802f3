"""The recipes of examples/corpus, run as their users run them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests import needs

RECIPES = Path(__file__).parents[2] / "examples/corpus"


@pytest.fixture
def command(tmp_path: Path) -> Path:
    """The command `tamis` of this Python, in a folder that has nothing else."""
    file = tmp_path / "bin/tamis"
    file.parent.mkdir()
    file.write_text(f"#!{sys.executable}\nfrom tamis.cli import main\nmain()\n")
    file.chmod(0o755)
    return file


def table_in(folder: Path) -> list[dict[str, Any]]:
    """The rows of the Parquet files of a folder by their id, without the file they came from."""
    from pyarrow import parquet

    rows = [
        row
        for file in folder.glob("part-*.parquet")
        for row in parquet.read_table(file).drop_columns("source").to_pylist()
    ]
    return sorted(rows, key=lambda row: row["id"])


@needs.java
def test_spark_gives_the_rows_of_a_run_on_one_machine(
    sources: dict[str, bytes], command: Path, tmp_path: Path
) -> None:
    pyspark = pytest.importorskip("pyspark")
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    pages = tmp_path / "pages"
    pages.mkdir()
    for part in range(2):
        columns = {
            "id": [f"{part}-{name}" for name in sources] + [f"{part}-none", f"{part}-empty"],
            "url": [f"https://site.example/{part}/{name}" for name in sources] + [None, ""],
            "html": [*sources.values(), None, b""],
            "fetched": [
                datetime(2026, 1, day + 1, 23, 30, tzinfo=UTC) for day in range(len(sources))
            ]
            + [None, None],
        }
        parquet.write_table(pyarrow.table(columns), pages / f"{part}.parquet")
    subprocess.run([command, "corpus", pages, "--output", tmp_path / "here"], check=True)
    submit: list[Any] = [Path(pyspark.__file__).parent / "bin/spark-submit", "--master", "local[2]"]
    done = subprocess.run(
        [*submit, RECIPES / "spark.py", pages, tmp_path / "there"],
        env=os.environ | {"PYSPARK_PYTHON": sys.executable, "TZ": "Asia/Kolkata"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    rows = table_in(tmp_path / "here")
    assert len(rows) > 20
    assert table_in(tmp_path / "there") == rows


def files_of(output: Path) -> dict[str, bytes]:
    """What a run leaves that must be the same every time."""
    return {
        str(path.relative_to(output)): path.read_bytes()
        for path in output.rglob("*")
        if path.is_file() and path.name not in (".lock", ".lock-plan", "summary.json")
    }


def array(command: Path, arguments: list[Any], first: int = 0) -> None:
    """What Slurm does with an array of three jobs, all at once."""
    jobs = []
    for number in range(3):
        given = {
            "PATH": f"{command.parent}:{os.environ['PATH']}",
            "SLURM_CPUS_PER_TASK": "1",
            "SLURM_ARRAY_TASK_ID": str(first + number),
            "SLURM_ARRAY_TASK_MIN": str(first),
            "SLURM_ARRAY_TASK_COUNT": "3",
        }
        script = ["bash", RECIPES / "slurm.sh", *arguments]
        jobs.append(subprocess.Popen(script, env=os.environ | given))
    assert [job.wait() for job in jobs] == [0, 0, 0]


@needs.bash
@pytest.mark.parametrize(
    ("arrays", "alone"),
    [(1, True), (3, False)],
    ids=["one array and the command alone", "an array a step"],
)
def test_a_slurm_array_leaves_the_files_of_one_command(
    arrays: int, alone: bool, sources: dict[str, bytes], command: Path, tmp_path: Path
) -> None:
    pytest.importorskip("zstandard")
    pytest.importorskip("fsspec")
    pages = tmp_path / "pages"
    pages.mkdir()
    for shard in range(7):
        lines = [
            json.dumps({"id": f"{shard}-{name}", "html": page.decode("utf-8", "replace")})
            for name, page in list(sources.items())[shard : shard + 5]
        ]
        (pages / f"{shard}.jsonl").write_text("\n".join(lines))
    options = ["--format", "jsonl", "--duplicates", "near", "--rejects"]
    here, there = tmp_path / "here", tmp_path / "there"
    subprocess.run([command, "corpus", pages, "--output", here, *options], check=True)
    for _ in range(arrays):
        array(command, [pages, "--output", there, *options], first=1)
    if alone:
        subprocess.run([command, "corpus", pages, "--output", there, *options], check=True)
    assert json.loads((there / "summary.json").read_text())["complete"]
    assert files_of(there) == files_of(here)
