"""Many pages: in order, each for itself, the same as one by one, in any number of processes."""

from __future__ import annotations

import itertools
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tamis
from tamis import many
from tamis._runtime import processes
from tamis.errors import (
    CrashError,
    DeadlineError,
    InputError,
    MethodError,
    TooLargeError,
    TooManyNodesError,
)
from tamis.methods import _registry
from tamis.methods.baseline import Baseline
from tests import needs
from tests.methods.fitted import fitted

BASELINE = tamis.Options(method="baseline")
TEXTS = [f"Page number {n}." for n in range(60)]
PAGES = [f"<p>{text}".encode() for text in TEXTS]

in_processes = pytest.mark.parametrize("workers", [1, 2])


class Trap(tamis.Page):
    """A page that does something to the process that unpickles it."""

    action: tuple[Any, ...]

    def __reduce__(self) -> tuple[Any, ...]:
        return self.action


def trap(function: Any, *arguments: Any) -> Trap:
    page = tamis.parse("<p>A trap.")
    made = Trap(**vars(page))
    object.__setattr__(made, "action", (function, arguments))
    return made


def views_of(result: tamis.Result) -> tuple[Any, ...]:
    return os.getpid(), result.markdown, result.metadata, result.to_dict()


def number_of_the_page(result: tamis.Result) -> int:
    number = int(result.text.split()[-1][:-1])
    if number == 20:
        raise ZeroDivisionError("twenty")
    if number == 30:
        raise InputError("thirty")
    return number


def unsendable(result: tamis.Result) -> Any:
    return (lambda: None) if result.text == TEXTS[20] else result.text


@pytest.fixture(autouse=True)
def known_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let worker processes import the functions above: pytest's name for this file is no path."""
    monkeypatch.syspath_prepend(Path(__file__).parents[1])


def texts(pages: Any, **how: Any) -> list[str]:
    results = tamis.extract_many(pages, options=BASELINE, **how)
    return [
        type(result).__name__ if isinstance(result, tamis.TamisError) else result.text
        for result in results
    ]


def children() -> set[int]:
    """The processes that this one has."""
    pids = set()
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == os.getpid() and fields[0] != "Z":
            pids.add(int(status.parent.name))
    return pids


# Order and laziness


@in_processes
def test_results_come_in_the_order_of_the_pages(workers: int) -> None:
    # The first page is by far the slowest.
    slow = "<p>x" * 100_000
    assert texts([slow, *PAGES], workers=workers)[1:] == TEXTS


@in_processes
def test_no_pages_give_no_results(workers: int) -> None:
    assert texts([], workers=workers) == []


@in_processes
@pytest.mark.parametrize("number", [1, 15, 16, 17, 32, 33])
def test_any_number_of_pages_gives_as_many_results(workers: int, number: int) -> None:
    assert texts(PAGES[:number], workers=workers) == TEXTS[:number]


@in_processes
def test_an_endless_input_is_read_only_as_far_as_results_are_taken(workers: int) -> None:
    read = 0

    def endless() -> Iterator[bytes]:
        nonlocal read
        for page in itertools.cycle(PAGES):
            read += 1
            yield page

    results = tamis.extract_many(endless(), options=BASELINE, workers=workers)
    assert read == 0
    for taken in range(1, 301):
        next(results)
        assert read - taken < 16 * (2 * workers + 3)
    results.close()  # type: ignore[attr-defined]


def test_a_batch_is_full_by_bytes_too() -> None:
    assert [len(batch) for batch in many.make_batches([b"x" * 1_500_000] * 5, len)] == [2, 2, 1]


def test_an_input_that_raises_does_so_after_the_last_batch() -> None:
    def broken() -> Iterator[bytes]:
        yield from PAGES[:20]
        raise KeyError

    full = many.make_batches(broken(), len)
    assert [len(next(full)), len(next(full))] == [16, 4]
    with pytest.raises(KeyError):
        next(full)


@needs.linux
def test_few_pages_start_no_process() -> None:
    before = children()
    results = tamis.extract_many(PAGES[:10], options=BASELINE, workers=4)
    next(results)
    assert children() == before


# What a page can be


@in_processes
def test_pages_come_as_text_bytes_arrays_tables_or_tuples(workers: int) -> None:
    pages: list[Any] = [
        "<p>été",
        "<p>été".encode(),
        bytearray(b"<p>array"),
        memoryview(b"<p>view"),
        tamis.parse("<p>table"),
        ("<p>with address", "https://a.example/"),
        ("<p>été".encode("latin-1"), None, "text/html; charset=latin1"),
    ]
    results = list(tamis.extract_many(pages * 4, options=BASELINE, workers=workers))
    kept = [result.text for result in results if isinstance(result, tamis.Result)]
    assert kept == ["été", "été", "array", "view", "table", "with address", "été"] * 4
    assert [result.url for result in results[4:7]] == [None, "https://a.example/", None]
    assert isinstance(results[-1], tamis.Result)
    assert results[-1].page.encoding == "windows-1252"


@in_processes
def test_a_table_is_kept_and_not_read_again(workers: int) -> None:
    pages = [tamis.parse(page) for page in PAGES]
    for page, result in zip(pages, tamis.extract_many(pages, workers=workers), strict=True):
        assert isinstance(result, tamis.Result)
        assert result.page is page


@in_processes
def test_a_subclass_of_str_or_bytes_is_a_page(workers: int) -> None:
    class Text(str):
        pass  # local, so it does not pickle

    class Bytes(bytes):
        pass

    assert texts([Text("<p>a"), Bytes(b"<p>b")] * 20, workers=workers) == ["a", "b"] * 20


def test_a_single_page_is_refused() -> None:
    for page in ("<p>x", b"<p>x", tamis.parse("<p>x")):
        with pytest.raises(InputError, match="use extract"):
            tamis.extract_many(page)  # type: ignore[arg-type]


def test_a_wrong_call_fails_before_the_first_result() -> None:
    with pytest.raises(MethodError, match="nonsense"):
        tamis.extract_many([], options=tamis.Options(method="nonsense"))
    with pytest.raises(ValueError, match="workers is 0"):
        tamis.extract_many([], workers=0)
    with pytest.raises(TypeError, match="not iterable"):
        tamis.extract_many(None)  # type: ignore[arg-type]


# Bad pages


@in_processes
def test_what_is_no_page_is_an_error_in_its_place(workers: int) -> None:
    released = memoryview(b"<p>x")
    released.release()
    bad: list[Any] = [
        released, None, 1, [], open, lambda: None, (), ("<p>x",), ("<p>x", 1), ("<p>x", None, 1),
        (None, "https://a.example/"), ("https://a.example/", "<html>"), (1, 2, 3, 4),
    ]  # fmt: skip
    pages = [page for pair in zip(bad, PAGES[: len(bad)], strict=True) for page in pair]
    expected = [text for page in TEXTS[: len(bad)] for text in ("InputError", page)]
    assert texts([*pages, *PAGES], workers=workers) == expected + TEXTS


@in_processes
def test_a_page_over_a_limit_is_an_error_with_its_address(workers: int) -> None:
    options = tamis.Options(method="baseline", max_nodes=50, max_bytes=5000)
    pages: list[Any] = [(page, "https://a.example/") for page in PAGES]
    pages[5] = ("<p>x" * 100, "https://a.example/nodes")
    pages[30] = (b" " * 6000, "https://a.example/bytes")
    results = list(tamis.extract_many(pages, options=options, workers=workers))
    errors = [error for error in results if isinstance(error, tamis.TamisError)]
    assert errors == [results[5], results[30]]
    assert isinstance(results[5], TooManyNodesError)
    assert isinstance(results[30], TooLargeError)
    assert [error.url for error in errors] == ["https://a.example/nodes", "https://a.example/bytes"]
    with pytest.raises(TooManyNodesError) as raised:
        tamis.extract("<p>x" * 100, options=options)
    assert str(raised.value) == str(results[5])


@in_processes
def test_an_input_that_raises_does_so_after_the_results_before(workers: int) -> None:
    def broken() -> Iterator[bytes]:
        yield from PAGES[:40]
        raise KeyError("broken")

    results = tamis.extract_many(broken(), options=BASELINE, workers=workers)
    assert [next(results).text for _ in range(40)] == TEXTS[:40]  # type: ignore[union-attr]
    with pytest.raises(KeyError, match="broken"):
        next(results)


# Batches


class Batched(Baseline):
    """Refuses some pages."""

    calls: list[int] = []  # noqa: RUF012

    def score(self, page: tamis.Page) -> Any:
        if b"unlucky" in page.source:
            raise ZeroDivisionError("thirteen")
        return super().score(page)

    def score_many(self, pages: Sequence[tamis.Page]) -> list[Any]:
        self.calls.append(len(pages))
        return super().score_many(pages)


@pytest.fixture
def batched(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    monkeypatch.setattr(_registry, "get", lambda _: Batched)
    monkeypatch.setattr(Batched, "calls", [])
    return Batched.calls


def test_a_method_gets_the_pages_of_a_batch_at_once(batched: list[int]) -> None:
    assert texts([*PAGES[:9], None, *PAGES[9:20]], workers=1)[-1] == TEXTS[19]
    assert batched == [15, 5]


@pytest.mark.parametrize("name", tamis.list_methods())
def test_a_method_scores_pages_together_as_it_scores_each(
    name: str, sources: dict[str, bytes]
) -> None:
    method = fitted(name)
    pages = [tamis.parse(source) for source in (b"", *sources.values(), b"word")]
    for page, scores in zip(pages, method.score_many(pages), strict=True):
        np.testing.assert_array_equal(scores, method.score(page))
    assert method.score_many([]) == []


def test_a_page_on_which_a_method_fails_leaves_the_others_of_its_batch(batched: list[int]) -> None:
    pages = [*PAGES[:5], ("<p>unlucky", "https://a.example/13"), *PAGES[5:10]]
    results = list(tamis.extract_many(pages, options=BASELINE, workers=1))
    crash = results.pop(5)
    assert isinstance(crash, CrashError)
    assert crash.url == "https://a.example/13"
    assert "ZeroDivisionError: thirteen" in str(crash)
    assert "in score" in crash.__notes__[0]
    assert [result.text for result in results] == TEXTS[:10]  # type: ignore[union-attr]


def test_a_method_that_forgets_a_page_is_asked_for_each(
    batched: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        Batched, "score_many", lambda self, pages: [self.score(page) for page in pages[1:]]
    )
    assert texts(PAGES[:5], workers=1) == TEXTS[:5]


def test_only_a_page_that_is_slow_alone_is_past_its_deadline(
    batched: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0

    def score(self: Batched, page: tamis.Page) -> Any:
        nonlocal now
        now += 30 if b"slow" in page.source else 1
        return Baseline.score(self, page)

    monkeypatch.setattr(Batched, "score", score)
    monkeypatch.setattr(time, "monotonic", lambda: now)
    options = tamis.Options(method="baseline", max_seconds=10)
    pages = [*PAGES[:14], b"<p>slow", PAGES[14]]
    results = list(tamis.extract_many(pages, options=options, workers=1))
    assert isinstance(results.pop(14), DeadlineError)
    assert [result.text for result in results] == TEXTS[:15]  # type: ignore[union-attr]


# The same result as one by one


def assert_same(result: Any, expected: tamis.Result) -> None:
    assert isinstance(result, tamis.Result)
    assert result.text == expected.text
    np.testing.assert_array_equal(result.scores, expected.scores)
    np.testing.assert_array_equal(result.kept, expected.kept)
    assert result.scores.dtype == expected.scores.dtype
    assert result.blocks == expected.blocks
    assert result.page.source == expected.page.source
    assert result.to_dict() == expected.to_dict()
    assert repr(result) == repr(expected)


@in_processes
@pytest.mark.parametrize("method", ["boilerpipe", "dragnet", "tamis"])
def test_each_result_is_that_of_extract(
    sources: dict[str, bytes], workers: int, method: str
) -> None:
    options = tamis.Options(method=method)
    pages = [(source, f"https://a.example/{name}") for name, source in sources.items()] * 2
    pages = list(itertools.islice(itertools.cycle(pages), 40))
    results = tamis.extract_many(pages, options=options, workers=workers)
    for (source, url), result in zip(pages, results, strict=True):
        assert_same(result, tamis.extract(source, url=url, options=options))


@in_processes
def test_text_gives_what_extract_gives_for_it(workers: int) -> None:
    pages = [
        "",
        "<p>été",
        "\ufeff<p>mark",
        "\ufeff\ufeff<p>marks",
        "<p>lone \ud800 and pair \ud83d\ude00",
        "<meta charset=latin1><p>été",
        "<?xml version='1.0' encoding='utf-16'?><p>été",
        "\xff\xfe<p>x",
    ] * 3
    items = [(page, None, "text/html; charset=koi8-r") for page in pages]
    results = tamis.extract_many(items, options=BASELINE, workers=workers)
    for page, result in zip(pages, results, strict=True):
        assert_same(result, tamis.extract(page, options=BASELINE))


def test_a_page_too_large_for_the_shared_memory_gives_its_result() -> None:
    large = b"<p>" + b"word " * 1_000_000
    results = list(tamis.extract_many([large, *PAGES[:20], large], options=BASELINE, workers=2))
    assert_same(results[0], tamis.extract(large, options=BASELINE))
    assert_same(results[-1], tamis.extract(large, options=BASELINE))


def test_a_result_of_another_process_survives_pickling() -> None:
    for result in tamis.extract_many(PAGES, options=BASELINE, workers=2):
        assert_same(pickle.loads(pickle.dumps(result)), result)  # type: ignore[arg-type]


def test_a_result_of_another_process_reads_its_page_once_and_without_a_clock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = "<p>x" * 20_000
    result, *_ = tamis.extract_many([page] * 20, options=BASELINE, workers=2)
    assert isinstance(result, tamis.Result)
    monkeypatch.setattr(time, "monotonic", itertools.count(0, 1000).__next__)
    with pytest.raises(DeadlineError):
        tamis.parse(page)
    assert len(result.page.blocks) == 20_000
    assert result.page is result.page


def test_without_shared_memory_the_results_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "make_shared_memory", lambda: (None, None))
    assert texts(PAGES, workers=2) == TEXTS


# What is made of the results where they are


@in_processes
def test_what_is_wanted_of_the_results_is_made_where_they_are(workers: int) -> None:
    views = tamis.extract_many(PAGES, options=BASELINE, workers=workers, then=views_of)
    pids = set()
    for page, (pid, *view) in zip(PAGES, views, strict=True):  # type: ignore[misc]
        result = tamis.extract(page, options=BASELINE)
        assert view == [result.markdown, result.metadata, result.to_dict()]
        pids.add(pid)
    assert (os.getpid() in pids) == (workers == 1)


@in_processes
def test_what_is_made_of_a_result_may_be_anything_or_nothing(workers: int) -> None:
    results = tamis.extract_many([*PAGES, None], options=BASELINE, workers=workers, then=bool)  # type: ignore[list-item]
    *answers, error = results
    assert answers == [True] * 60
    assert isinstance(error, InputError)


@in_processes
def test_a_function_that_fails_is_an_error_in_its_place(workers: int) -> None:
    pages = [(page, f"https://a.example/{number}") for number, page in enumerate(PAGES)]
    results = list(
        tamis.extract_many(pages, options=BASELINE, workers=workers, then=number_of_the_page)
    )
    crash, refused = results[20], results[30]
    assert isinstance(crash, CrashError)
    assert crash.url == "https://a.example/20"
    assert "ZeroDivisionError: twenty; the function given as `then` raised it" in str(crash)
    assert "in number_of_the_page" in crash.__notes__[0]
    assert isinstance(refused, InputError)
    assert (str(refused), refused.url) == ("thirty", "https://a.example/30")
    assert [n for n in range(60) if results[n] != n] == [20, 30]


def test_what_cannot_be_sent_back_is_an_error_in_its_place() -> None:
    results = list(tamis.extract_many(PAGES, options=BASELINE, workers=2, then=unsendable))
    crash = results[20]
    assert isinstance(crash, CrashError)
    assert "the process that extracted the page raised" in str(crash)
    assert [result for result in results if result is not crash] == TEXTS[:20] + TEXTS[21:]


@pytest.mark.parametrize("workers", [None, 2])
def test_a_function_that_no_other_process_knows_is_refused_at_once(workers: int | None) -> None:
    with pytest.raises(TypeError, match=r"then cannot be sent to a process .*workers=1"):
        tamis.extract_many(PAGES, workers=workers, then=lambda result: result.text)
    ours = tamis.extract_many(PAGES, options=BASELINE, workers=1, then=lambda result: result.text)
    assert list(ours) == TEXTS


def test_a_function_of_a_script_is_refused_with_what_to_do(tmp_path: Path) -> None:
    code = """
def first_word(result): return result.text.split()[0]
print(*tamis.extract_many(pages[:2], options=options, workers=1, then=first_word))
tamis.extract_many(pages, options=options, then=first_word)
"""
    done = run(code, tmp_path)
    assert done.stdout == "Page Page\n"
    assert "of the script itself, which no process can import" in done.stderr
    assert done.stderr.splitlines()[-1].endswith("give one of a module, or workers=1")


# Processes that die or are ended


def test_a_process_that_dies_costs_the_page_it_died_of() -> None:
    pages: list[Any] = list(PAGES)
    pages[20] = (trap(os._exit, 3), "https://a.example/trap")
    results = list(tamis.extract_many(pages, options=BASELINE, workers=2))
    crash = results[20]
    assert isinstance(crash, CrashError)
    assert crash.url == "https://a.example/trap"
    assert "exit code 3" in str(crash)
    del results[20]
    assert [result.text for result in results] == TEXTS[:20] + TEXTS[21:]  # type: ignore[union-attr]


def test_every_process_may_die_several_times() -> None:
    pages: list[Any] = list(PAGES)
    for place in (0, 17, 18, 59):
        pages[place] = trap(os.abort)
    answers = texts(pages, workers=2)
    assert [place for place, text in enumerate(answers) if text == "CrashError"] == [0, 17, 18, 59]
    assert answers[1:17] == TEXTS[1:17]


def test_a_page_that_cannot_be_sent_is_an_error_in_its_place() -> None:
    pages: list[Any] = list(PAGES)
    pages[20] = trap(lambda: None)
    assert texts(pages, workers=2) == [*TEXTS[:20], "CrashError", *TEXTS[21:]]


def test_a_process_that_does_not_start_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(CrashError, match="workers=1"):
        texts(PAGES, workers=2)


@needs.linux
@pytest.mark.parametrize("ending", ["exhausted", "closed", "forgotten", "failed", "hanging"])
def test_no_process_outlives_the_results(ending: str) -> None:
    def pages() -> Iterator[Any]:
        yield from PAGES
        if ending == "failed":
            raise KeyError
        if ending == "hanging":
            for _ in range(40):
                yield trap(time.sleep, 1000)

    before = children()
    results: Any = tamis.extract_many(pages(), options=BASELINE, workers=2)
    next(results)
    assert len(children() - before) == 2
    if ending == "exhausted":
        list(results)
    elif ending in ("closed", "hanging"):
        results.close()
    elif ending == "forgotten":
        del results
    else:
        with pytest.raises(KeyError):
            list(results)
    assert children() == before


# Scripts

SCRIPT = """
import itertools, sys, tamis
pages = [f"<p>Page number {n}." for n in range(60)]
options = tamis.Options(method="baseline")
"""


def run(code: str, path: Path) -> subprocess.CompletedProcess[str]:
    script = path / "script.py"
    script.write_text(SCRIPT + code)
    return subprocess.run(
        [sys.executable, script], capture_output=True, text=True, timeout=300, check=False
    )


def test_a_script_needs_no_guard(tmp_path: Path) -> None:
    done = run(
        "print(sum(1 for _ in tamis.extract_many(pages, options=options, workers=2)))", tmp_path
    )
    assert (done.stdout, done.stderr) == ("60\n", "")


def test_a_script_with_threads_and_forks_works(tmp_path: Path) -> None:
    code = """
import threading
def many(): print(len(list(tamis.extract_many(pages, options=options, workers=2))), flush=True)
threads = [threading.Thread(target=many) for _ in range(2)]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""
    done = run(code, tmp_path)
    assert (done.stdout, done.stderr) == ("60\n60\n", "")


def test_a_script_may_end_in_the_middle_of_the_results(tmp_path: Path) -> None:
    code = """
results = tamis.extract_many(itertools.cycle(pages), options=options, workers=2)
print(next(results).text)
"""
    done = run(code, tmp_path)
    assert (done.stdout, done.stderr, done.returncode) == ("Page number 0.\n", "", 0)


@needs.linux
def test_ctrl_c_ends_all_processes(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        SCRIPT
        + """
import pathlib, signal
# A job in the background of a shell script inherits that it is ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    for result in tamis.extract_many(itertools.cycle(pages), options=options, workers=2):
        if result.text == "Page number 50.":
            task = pathlib.Path("/proc/self/task")
            kids = [k for t in task.iterdir() for k in (t / "children").read_text().split()]
            print(*kids, flush=True)
            while True: pass
except KeyboardInterrupt:
    print("interrupted")
"""
    )
    with subprocess.Popen(
        [sys.executable, script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout
        kids = process.stdout.readline().split()
        os.killpg(process.pid, signal.SIGINT)
        try:
            out, err = process.communicate(timeout=300)
        finally:
            process.kill()
    assert len(kids) == 2
    assert (out, err) == ("interrupted\n", "")
    assert not any(Path("/proc", kid).exists() for kid in kids)
