"""Extraction of many pages: in batches, in several processes, in order.

Pages are read ahead into batches. A batch goes to a worker process and comes back as scores and
text; the page tables stay behind, since sending one takes as long as reading the page again. A
worker that dies takes nothing with it but the page it died of.
"""

from __future__ import annotations

import math
import os
import pickle
import sys
import time
from codecs import BOM_UTF8
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain, islice, repeat
from typing import IO, TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from tamis.errors import CrashError, InputError, TamisError
from tamis.extract import decide, extract
from tamis.methods import _registry
from tamis.methods._base import Method
from tamis.options import Options
from tamis.page.decode import decode
from tamis.page.read import parse
from tamis.page.table import Page
from tamis.result import Result

if TYPE_CHECKING:
    from concurrent.futures import Future
    from mmap import mmap
    from subprocess import Popen

_T = TypeVar("_T")
PageLike: TypeAlias = str | bytes | Page
Item: TypeAlias = PageLike | tuple[PageLike, str | None] | tuple[PageLike, str | None, str | None]

# A batch is full at either: some 10 ms of work. boilerpipe takes 0.78 ms a page (240 kB) in batches
# of 1, 2 and 4 MB, 0.80 ms at 256 kB and 0.82 ms page by page.
_BATCH_PAGES = 16
_BATCH_BYTES = 2 * 1024 * 1024
# Room in the memory that a worker shares with us: a batch, with some more for its last page.
_SHARED_BYTES = 2 * _BATCH_BYTES


class _Source(NamedTuple):
    """An item of the input; in place of its page the error, if it is none."""

    page: bytes | Page | TamisError
    url: str | None
    content_type: str | None


_Batch: TypeAlias = list[_Source]
_Answers: TypeAlias = list[Result | TamisError]


def extract_many(
    pages: Iterable[Item], options: Options | None = None, *, workers: int | None = None
) -> Generator[Result | TamisError, None, None]:
    """Extract many pages in several processes; results come in the order of the pages.

    Each item of `pages` is what `extract` takes as its page, or a tuple `(page, url)` or
    `(page, url, content_type)`. For each there is a `Result`, or the `TamisError` that `extract`
    would raise: a value, so that one bad page does not stop the rest. `error.url` tells which.

    `pages` may be endless: it is read as results are taken, some batches of 16 pages ahead. If it
    raises, so does this, after the results of the pages before. `close()` ends the processes early.

    `workers` is the number of processes, one a processor unless given. With 1, and for the few
    pages of a single batch, all is done in this process.

    >>> from tamis import TamisError
    >>> pages = ["<p>A tamis is a sieve.", None, ("<p>A chinois, too.", "https://a.example/2")]
    >>> for result in extract_many(pages, Options(method="baseline")):
    ...     if isinstance(result, TamisError):
    ...         print("no page:", result)
    ...     else:
    ...         print(result.url, result.text)
    None A tamis is a sieve.
    no page: a page is str, bytes, bytearray or memoryview, not NoneType; read a file or a response first
    https://a.example/2 A chinois, too.
    """  # noqa: E501
    options = options or Options()
    if workers is not None and workers < 1:
        raise ValueError(f"workers is {workers}; give 1 or more, or None for one a processor")
    if isinstance(pages, str | bytes | Page):
        raise InputError("pages is a single page; give a list of pages, or use extract")
    method = _registry.create(options.method, options.parameters)
    batches = _batches(iter(pages), options)
    return _extract_many(batches, method, options, workers or _processors())


def _extract_many(
    batches: Iterator[_Batch | Exception], method: Method, options: Options, workers: int
) -> Generator[Result | TamisError, None, None]:
    if workers > 1:
        ahead = list(islice(batches, 2))
        batches = chain(ahead, batches)
        if len(ahead) == 2:
            yield from _in_processes(batches, options, workers)
            return
    for batch in batches:
        if isinstance(batch, Exception):
            raise batch
        yield from _extract_batch(batch, method, options)


def _processors() -> int:
    if getattr(sys, "frozen", False) or not sys.executable:
        return 1  # an application with Python inside has no interpreter to start
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# Batches


def _batches(pages: Iterator[Item], options: Options) -> Iterator[_Batch | Exception]:
    """The pages in batches; at the end, if `pages` raised one, the exception."""
    batch: _Batch = []
    size = 0.0
    while True:
        try:
            item = next(pages)
        except StopIteration:
            break
        except Exception as error:  # what the input raises reaches the caller
            if batch:
                yield batch
            yield error
            return
        source = _source(item, options)
        batch.append(source)
        size += _size(source.page)
        if len(batch) >= _BATCH_PAGES or size >= _BATCH_BYTES:
            yield batch
            batch, size = [], 0.0
    if batch:
        yield batch


def _source(item: Any, options: Options) -> _Source:
    """An item, checked: what is no page at first sight does not go to a worker."""
    page, url, content_type = item, None, None
    try:
        if isinstance(item, tuple):
            page, url, content_type = _parts(item)
        if isinstance(page, bytes | bytearray | memoryview):
            page = bytes(page)  # an array may change, a subclass may not pickle
        if not isinstance(page, Page) and _size(page) > options.max_bytes:
            parse(page, options)  # which says what is wrong
        if isinstance(page, str):
            page, content_type = _encoded(page), "text/html; charset=utf-8"
    except Exception as error:  # one bad page is a value, never the end
        page = InputError(f"the page cannot be read: {error}")  # a memoryview that was released
        if isinstance(error, TamisError):
            page = error.with_traceback(None)
        page.url = url
    return _Source(page, url, content_type)


def _encoded(page: str) -> bytes:
    """Text as bytes that are read as the same page; a worker has them sooner than the text."""
    source = decode(page).source
    return BOM_UTF8 + source if source.startswith(BOM_UTF8) else source


def _parts(item: tuple[Any, ...]) -> tuple[Any, str | None, str | None]:
    if not 2 <= len(item) <= 3:
        raise InputError(
            f"a tuple is (page, url) or (page, url, content_type); this one has {len(item)} parts"
        )
    page, url, content_type = (*item, None)[:3]
    if not isinstance(url, str | None) or not isinstance(content_type, str | None):
        raise InputError(
            "url and content_type are str or None, not"
            f" {type(url).__name__} and {type(content_type).__name__}"
        )
    if url and url.lstrip().startswith("<"):
        raise InputError("the url is HTML; a tuple is (page, url), in this order")
    return page, url, content_type


def _size(page: object) -> float:
    """Bytes or characters of a page, infinite if it is none."""
    if isinstance(page, Page):
        return len(page.source)
    if isinstance(page, TamisError):
        return 0
    return len(page) if isinstance(page, str | bytes) else math.inf


def _extract_batch(batch: _Batch, method: Method, options: Options) -> _Answers:
    """What a batch holds: all its pages at once, or if that fails each alone."""
    started = time.monotonic()
    found = [_read(source, options) for source in batch]
    answers: _Answers
    try:
        scored = iter(method.score_many([page for page in found if isinstance(page, Page)]))
        answers = [
            decide(page, next(scored), method, options, source.url)
            if isinstance(page, Page)
            else page
            for source, page in zip(batch, found, strict=True)
        ]
        # Who was slow? Reading has its own clock, scoring many at once has none for each page.
        alone = time.monotonic() - started > options.max_seconds
    except Exception:  # one page did it: each alone says which
        alone = True
    if alone:
        answers = [
            page if isinstance(page, TamisError) else _extract_alone(source, options)
            for source, page in zip(batch, found, strict=True)
        ]
    for source, answer in zip(batch, answers, strict=True):
        if isinstance(answer, TamisError):
            answer.url = source.url
    return answers


def _read(source: _Source, options: Options) -> Page | TamisError:
    page, _, content_type = source
    if isinstance(page, Page | TamisError):
        return page
    return _caught(partial(parse, page, options, content_type=content_type))


def _extract_alone(source: _Source, options: Options) -> Result | TamisError:
    page, url, content_type = source
    if isinstance(page, TamisError):
        return page
    return _caught(partial(extract, page, url, options, content_type=content_type))


def _caught(make: Callable[[], _T]) -> _T | TamisError:
    """What `make` makes, or why it does not; without the traceback, which would hold the page."""
    try:
        return make()
    except TamisError as error:
        return error.with_traceback(None)
    except Exception as error:  # a defect of ours is a value too, with its traceback
        import traceback

        crash = CrashError(f"{type(error).__name__}: {error}; report the page as a defect of tamis")
        crash.add_note(traceback.format_exc())
        return crash


# Processes


def _in_processes(
    batches: Iterator[_Batch | Exception], options: Options, workers: int
) -> Iterator[Result | TamisError]:
    from concurrent.futures import ThreadPoolExecutor

    # The page was in time once; that this process is busy when somebody asks for it is no error.
    unhurried = replace(options, max_seconds=math.inf)
    pool = [_Worker(options) for _ in range(workers)]
    idle = deque(pool)
    threads = ThreadPoolExecutor(workers, "tamis")  # one a worker, to wait for it
    waiting: deque[tuple[_Batch, Future[_Answers]]] = deque()
    failure: Exception | None = None

    def ask(batch: _Batch) -> _Answers:
        worker = idle.pop()
        try:
            return worker.extract(batch)
        finally:
            idle.append(worker)

    def first_answers() -> Iterator[Result | TamisError]:
        batch, answers = waiting.popleft()
        return map(_with_page, batch, answers.result(), repeat(unhurried))

    try:
        for batch in batches:
            if isinstance(batch, Exception):
                failure = batch
                break
            waiting.append((batch, threads.submit(ask, batch)))
            while waiting and (len(waiting) > 2 * workers or waiting[0][1].done()):
                yield from first_answers()
        while waiting:
            yield from first_answers()
        if failure:
            raise failure
    finally:
        for worker in pool:
            worker.kill()
        threads.shutdown(cancel_futures=True)
        for worker in pool:
            worker.end()


def _with_page(
    source: _Source, answer: Result | TamisError, options: Options
) -> Result | TamisError:
    """A worker's answer, with the page that the worker did not send back."""
    page = source.page
    if isinstance(answer, TamisError) or isinstance(page, TamisError):
        return answer
    if isinstance(page, Page) and not answer.embedded:
        return replace(answer, _page=page)
    return replace(answer, _page=partial(_page_again, source, options, answer.embedded))


def _page_again(source: _Source, options: Options, embedded: str | None) -> Page:
    """The page of a result: as its source has it, or made of what is embedded there."""
    assert not isinstance(source.page, TamisError)
    if embedded:
        return extract(source.page, source.url, options, content_type=source.content_type).page
    assert isinstance(source.page, bytes)
    return parse(source.page, options, content_type=source.content_type)


class _Worker:
    """One process that extracts, started when needed and after each death.

    Not `multiprocessing`: its fork is unsafe once there are threads (numpy and our callers start
    some), its spawn and forkserver run the caller's script again, which without an
    `if __name__ == "__main__"` ends in an error. This process runs nothing but `_serve`.
    """

    def __init__(self, options: Options) -> None:
        import threading

        self._options = options
        self._process: Popen[bytes] | None = None
        self._shared: mmap | None = None
        self._closed = False
        self._lock = threading.Lock()

    def extract(self, batch: _Batch) -> _Answers:
        """Extract in the process; if it dies, once more for each page alone."""
        answers = self._ask(batch)
        if not isinstance(answers, CrashError):
            return answers
        alone: _Answers = []
        for source in batch:
            answers = self._ask([source])
            if isinstance(answers, CrashError):
                answers.url = source.url
                answers = [answers]
            alone += answers
        return alone

    def kill(self) -> None:
        """End the process from another thread, for good; whoever waits for it sees a crash."""
        with self._lock:
            self._closed = True
            if self._process:
                self._process.kill()

    def end(self) -> str:
        """End the process if it did not end itself, and tell how it did."""
        process, self._process = self._process, None
        if process is None:
            return "was not there"
        process.kill()
        code = process.wait()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):  # what is still in the buffer has nowhere to go
                pipe.close()  # type: ignore[union-attr]  # both are there
        return f"ended by signal {-code}" if code < 0 else f"ended with exit code {code}"

    def _ask(self, batch: _Batch) -> _Answers | CrashError:
        process = self._process or self._start()
        try:
            answers: _Answers = self._exchange(process, batch)
        except _GONE:
            return CrashError(
                f"the process that extracted the page {self._last_words(process)};"
                " there was no memory left, or it is a defect of tamis"
            )
        except Exception as error:  # whatever does not pickle
            self.end()  # half a batch is in the pipe
            return CrashError(f"the page cannot be sent to a process: {error}")
        return answers

    def _start(self) -> Popen[bytes]:
        from subprocess import PIPE, Popen

        self._shared, handle = _shared_memory()
        path = [folder for folder in sys.path if isinstance(folder, str)]
        code = f"import sys; sys.path[:] = {path}; from tamis.many import _serve; _serve({handle})"
        try:
            with self._lock:
                if self._closed:
                    raise CrashError("nobody waits for the results any more")
                self._process = process = Popen(
                    [sys.executable, "-c", code],
                    stdin=PIPE,
                    stdout=PIPE,
                    pass_fds=() if handle is None else (handle,),
                    env=_KEEP_MEMORY | os.environ,
                    process_group=0,  # out of reach of Ctrl-C: this process ends it
                )
        finally:
            if handle is not None:
                os.close(handle)
        try:
            self._exchange(process, self._options)
        except _GONE:
            raise CrashError(
                f"a worker process {self._last_words(process)} before it began;"
                " workers=1 needs none"
            ) from None
        return process

    def _exchange(self, process: Popen[bytes], message: object) -> Any:
        assert process.stdin is not None
        assert process.stdout is not None
        _send(message, process.stdin, self._shared)
        return _receive(process.stdout, self._shared)

    def _last_words(self, process: Popen[bytes]) -> str:
        from subprocess import TimeoutExpired

        with suppress(TimeoutExpired):
            process.wait(5)  # its pipe closes a little before it is gone
        return self.end()


# What malloc of glibc gives back to the system after a page it asks for again with the next: 2 of
# 100 parts of the time. A worker's memory grows no further than that of its largest batch.
_KEEP_MEMORY = {"MALLOC_TRIM_THRESHOLD_": str(1 << 28), "MALLOC_MMAP_THRESHOLD_": str(1 << 26)}

_GONE = (EOFError, OSError, pickle.UnpicklingError)
"""What reading from and writing to a process raises that is no more."""


def _shared_memory() -> tuple[mmap | None, int | None]:
    """Memory for the messages to and from a process, and its handle.

    Through the pipe a page of 240 kB takes 0.05 ms more, and its extraction 0.8 ms. Other systems
    than Linux have no such memory that needs no name and no cleaning up.
    """
    if sys.platform == "linux":
        from mmap import mmap

        handle = os.memfd_create("tamis")
        os.ftruncate(handle, _SHARED_BYTES)
        return mmap(handle, _SHARED_BYTES), handle
    return None, None


def _send(message: object, pipe: IO[bytes], shared: mmap | None) -> None:
    size = 0
    if shared:
        shared.seek(0)
        with suppress(ValueError):  # no room
            pickle.dump(message, shared, pickle.HIGHEST_PROTOCOL)
            size = shared.tell()
    pickle.dump(size, pipe)
    if not size:
        pickle.dump(message, pipe, pickle.HIGHEST_PROTOCOL)
    pipe.flush()


def _receive(pipe: IO[bytes], shared: mmap | None) -> Any:
    size = pickle.load(pipe)
    if not size:
        return pickle.load(pipe)
    assert shared
    with memoryview(shared) as view:
        return pickle.loads(view[:size])


def _serve(handle: int | None) -> None:
    """What a worker process does: extract batches until no more come."""
    import signal
    from mmap import mmap

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Windows has no process groups for Ctrl-C
    shared = None if handle is None else mmap(handle, _SHARED_BYTES)
    batches = sys.stdin.buffer
    answers = os.fdopen(os.dup(1), "wb")
    # What a library prints must not come between the answers.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    try:
        options: Options = _receive(batches, shared)
        method = _registry.create(options.method, options.parameters)
        _send("ready", answers, shared)
        while True:
            found = _extract_batch(_receive(batches, shared), method, options)
            _send(list(map(_without_page, found)), answers, shared)
    except _GONE:
        os._exit(0)  # nobody reads what is left to flush


def _without_page(answer: Result | TamisError) -> Result | TamisError:
    if isinstance(answer, TamisError):
        return answer
    return _caught(lambda: replace(answer, _page=_left_behind, _text=answer.text))


def _left_behind() -> Page:
    raise AssertionError("the page is added where the result arrives")
