"""The output folder: files are whole or absent, and what goes wrong says what to do."""

from __future__ import annotations

import errno
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import IO

import pytest

from tamis.corpus.files import Folder
from tamis.errors import OutputError
from tests import needs

KILLED = """
import os, signal, sys
from tamis.corpus.files import Folder
with Folder(sys.argv[1]).open_writing("deep/part-0.jsonl") as file:
    file.write(b"half of it" * 10_000)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture(params=["disk", "memory"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Folder]:
    if request.param == "disk":
        made = Folder(str(tmp_path / "run"))
        made.create()
        yield made
        return
    fsspec = pytest.importorskip("fsspec")
    made = Folder("memory://tests/run")
    made.create()
    yield made
    fsspec.filesystem("memory").rm("/tests", recursive=True)


def everything(folder: Folder) -> list[str]:
    return folder._list_all("")


def test_a_file_appears_when_it_is_whole(folder: Folder) -> None:
    with folder.open_writing("rows/part-0.jsonl") as file:
        file.write(b"one\n")
        assert not folder.has_file("rows/part-0.jsonl")
        assert folder.list_files() == []
        file.write("zwei ü\n".encode())
    assert folder.read("rows/part-0.jsonl") == "one\nzwei ü\n".encode()
    assert folder.get_size("rows/part-0.jsonl") == file.size == 12
    assert file.digest == blake2b("one\nzwei ü\n".encode(), digest_size=16).hexdigest()
    assert everything(folder) == ["rows/part-0.jsonl"]


def test_after_an_exception_there_is_neither_the_file_nor_a_part_of_it(folder: Folder) -> None:
    def interrupted() -> bytes:
        file.write(b"half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), folder.open_writing("part-0.jsonl") as file:
        file.write(interrupted())
    assert everything(folder) == []


def test_an_exception_leaves_the_file_of_an_earlier_run(folder: Folder) -> None:
    with folder.open_writing("part-0.jsonl") as file:
        file.write(b"whole")
    with pytest.raises(RuntimeError), folder.open_writing("part-0.jsonl") as file:
        raise RuntimeError
    assert folder.read("part-0.jsonl") == b"whole"


def test_a_file_can_be_written_again(folder: Folder) -> None:
    for content in (b"first, and longer", b"second"):
        with folder.open_writing("summary.json") as file:
            file.write(content)
    assert folder.read("summary.json") == b"second"


def test_names_are_those_below_a_folder_in_order(folder: Folder) -> None:
    for name in ("b.json", "marks/2.json", "marks/10.json", "marks-of-others/1.json"):
        with folder.open_writing(name):
            pass
    assert folder.list_files("marks") == ["marks/10.json", "marks/2.json"]
    assert folder.list_files() == [
        "b.json",
        "marks-of-others/1.json",
        "marks/10.json",
        "marks/2.json",
    ]
    assert folder.list_files("nothing") == []


def test_what_is_not_there_has_no_content_and_no_size(folder: Folder) -> None:
    assert folder.read("a/b.json") is None
    assert folder.get_size("a/b.json") is None
    assert not folder.has_file("a/b.json")
    folder.remove("a/b.json")


def test_a_removed_file_is_gone(folder: Folder) -> None:
    with folder.open_writing("a.json"):
        pass
    folder.remove("a.json")
    assert everything(folder) == []


def test_reading_a_file_that_is_not_there_is_one_line(folder: Folder) -> None:
    with (
        pytest.raises(OutputError, match=r"^[^\n]*a.parquet: cannot be read"),
        folder.open_reading("a.parquet"),
    ):
        pass


def test_a_killed_process_leaves_a_part_under_another_name_that_is_cleaned(tmp_path: Path) -> None:
    folder = Folder(str(tmp_path))
    killed = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert len(everything(folder)) == 1
    assert folder.list_files() == []
    with folder.open_writing("deep/.hidden.tmp"):
        pass
    folder.clean()
    assert everything(folder) == ["deep/.hidden.tmp"]


def test_a_folder_goes_to_other_processes(folder: Folder) -> None:
    assert pickle.loads(pickle.dumps(folder)) == folder
    assert folder.join("marks/1.json") == f"{folder.address}/marks/1.json"


@needs.ordinary_user
def test_a_folder_without_permission_says_so(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(OutputError, match="permission denied: choose another output folder"):
        Folder(str(tmp_path / "run")).create()
    tmp_path.chmod(0o700)


@pytest.mark.parametrize("name", ["taken", "taken/run"])
def test_a_file_in_the_place_of_the_folder_is_told(tmp_path: Path, name: str) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(OutputError, match="in the way: choose another output folder"):
        Folder(str(tmp_path / name)).create()


def test_a_store_that_nobody_knows_is_one_line() -> None:
    pytest.importorskip("fsspec")
    with pytest.raises(OutputError, match=r"^nosuchstore://bucket/run: [^\n]*$"):
        Folder("nosuchstore://bucket/run").create()


def full(path: str, mode: str) -> IO[bytes]:
    Path(path).touch()
    return open("/dev/full", "wb")


@pytest.fixture
def full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    monkeypatch.setattr("tamis._runtime.storage.open", full, raising=False)
    return Folder(str(tmp_path))


@pytest.mark.parametrize("size", [1, 1_000_000])
def test_a_full_disk_says_what_to_do_and_leaves_nothing(full_disk: Folder, size: int) -> None:
    wanted = "no space left: free some and run the same command again"
    with pytest.raises(OutputError, match=wanted):
        full_disk.create()
    with pytest.raises(OutputError, match=wanted), full_disk.open_writing("part-0.jsonl") as file:
        file.write(b"x" * size)
    assert everything(full_disk) == []


def test_an_error_of_the_caller_stays_what_it_is(folder: Folder) -> None:
    with pytest.raises(PermissionError), folder.open_writing("part-0.jsonl"):
        raise PermissionError(errno.EACCES, "of another file")
