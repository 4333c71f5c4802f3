"""Processes that do tasks, and those that they watch: one may die of a page."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tamis.corpus import tasks
from tamis.corpus.records import Record, Reject, Settings
from tamis.corpus.tasks import Watched, process_records
from tamis.errors import CrashError
from tamis.options import Options
from tests import needs

BAD = Reject("bad", None, "damaged", "cut off")


def record(name: str, body: bytes = b"<p>x") -> Record:
    return Record(name, f"https://{name}.example/", body, "text/html; charset=utf-8", None)


def obeying(folder: str) -> Callable[[list[Record]], list[str]]:
    """Made in the process: what it does with a page is written there."""

    def answer(batch: list[Record]) -> list[str]:
        with Path(folder, "sizes").open("a") as sizes:
            print(len(batch), file=sizes)
        for record in batch:
            command = record.body[:20].decode()
            if command == "hang":
                time.sleep(60)
            elif command == "wait":
                time.sleep(0.05)
            elif command == "grow":
                held = b"x" * 500_000_000
                time.sleep(60)
                del held
            elif command == "die":
                os.kill(os.getpid(), signal.SIGKILL)
            elif command == "die once" and not os.path.exists(f"{folder}/dead"):
                Path(folder, "dead").touch()
                os.kill(os.getpid(), signal.SIGKILL)
            elif command == "raise":
                raise ZeroDivisionError("no bridge")
        return [record.id for record in batch]

    return answer


def unable(_: object) -> object:
    sys.exit(3)


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    # pytest imports this file under a name that no other process can import.
    monkeypatch.syspath_prepend(os.path.dirname(__file__))
    monkeypatch.setattr(tasks, "_GRACE_SECONDS", 0.2)
    made: list[Watched[str]] = []

    def make(function: str = "obeying", seconds: float = 30, workers: int = 1) -> Watched[str]:
        limits = Settings(options=Options(max_seconds=seconds), memory=300_000_000)
        made.append(Watched(f"test_tasks:{function}", str(tmp_path), limits, workers))
        return made[-1]

    yield make
    for each in made:
        each.end()


@pytest.mark.parametrize("workers", [1, 3])
def test_answers_come_in_the_order_of_the_records_with_the_refused_in_their_places(
    watched: Callable[..., Watched[str]], workers: int
) -> None:
    given: list[Record | Reject] = [record(str(number)) for number in range(100)]
    given[0] = record("0", b"wait")
    given[0:0] = [BAD]
    given[50:50] = [BAD] * 40  # more than a batch has
    expected = [each.id if isinstance(each, Record) else each for each in given]
    assert list(process_records(watched(workers=workers), given)) == expected


def test_nothing_gives_nothing_and_needs_no_process(
    watched: Callable[..., Watched[str]],
) -> None:
    assert list(process_records(watched("unable"), [])) == []
    assert list(process_records(watched("unable"), [BAD])) == [BAD]


def test_a_batch_has_few_pages_and_fewer_if_they_are_large(
    watched: Callable[..., Watched[str]], tmp_path: Path
) -> None:
    small = [record(str(number)) for number in range(40)]
    large = [record(str(number), b"x" * 1_500_000) for number in range(4)]
    assert len(list(process_records(watched(), [*small, *large]))) == 44
    assert (tmp_path / "sizes").read_text().split() == ["16", "16", "10", "2"]


def test_records_are_read_as_answers_are_taken(watched: Callable[..., Watched[str]]) -> None:
    read: list[int] = []

    def endless() -> Iterator[Record]:
        while True:
            read.append(1)
            yield record("page")

    answers = process_records(watched(), endless())
    next(answers)
    assert len(read) == 16


@needs.posix
def test_a_page_that_hangs_or_kills_is_refused_and_its_neighbours_are_kept(
    watched: Callable[..., Watched[str]],
) -> None:
    bodies = ["fine", "die", "fine", "hang", "fine", "raise"]
    batch = [record(str(number), body.encode()) for number, body in enumerate(bodies)]
    assert list(process_records(watched(seconds=1.8), batch)) == [
        "0",
        Reject("1", "https://1.example/", "crash", "its process ended by signal 9"),
        "2",
        Reject("3", "https://3.example/", "too slow", "its process took longer than 2 s"),
        "4",
        Reject(
            "5", "https://5.example/", "crash", "its process raised ZeroDivisionError: no bridge"
        ),
    ]


@needs.linux
def test_a_page_that_takes_too_much_memory_is_refused_and_its_neighbours_are_kept(
    watched: Callable[..., Watched[str]],
) -> None:
    batch = [record("a", b"fine"), record("b", b"grow"), record("c", b"fine")]
    before, bad, after = process_records(watched(), batch)
    assert (before, after) == ("a", "c")
    assert isinstance(bad, Reject)
    assert bad.reason == "too much memory"
    assert bad.detail == "its process took more than 300,000,000 bytes of memory"


@needs.posix
def test_a_page_that_makes_its_process_fail_once_is_kept(
    watched: Callable[..., Watched[str]],
) -> None:
    batch = [record("a", b"fine"), record("b", b"die once")]
    assert list(process_records(watched(), batch)) == ["a", "b"]


@needs.posix
def test_a_process_that_cannot_begin_is_no_fault_of_a_page(
    watched: Callable[..., Watched[str]],
) -> None:
    with pytest.raises(CrashError, match="ended with exit code 3 before it began"):
        list(process_records(watched("unable"), [record("a")]))
