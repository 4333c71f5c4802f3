"""Extraction of many pages: in batches, in several processes, in order.

Pages are read ahead into batches. A batch goes to a worker process and comes back as scores and
text; the page tables stay behind, since sending one takes as long as reading the page again. A
worker that dies takes nothing with it but the page it died of.
"""

from __future__ import annotations

import math
import time
from codecs import BOM_UTF8
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar, Unpack

from tamis.errors import CrashError, InputError, TamisError
from tamis.flow import extract, result_of
from tamis.methods._base import Method
from tamis.options import OptionFields, Options, chosen
from tamis.page.decode import decode
from tamis.page.read import parse
from tamis.page.table import Page
from tamis.processes import Lost, Process, processors
from tamis.result import Result

if TYPE_CHECKING:
    from concurrent.futures import Future

_T = TypeVar("_T")
PageLike: TypeAlias = str | bytes | Page
Item: TypeAlias = PageLike | tuple[PageLike, str | None] | tuple[PageLike, str | None, str | None]

# A batch is full at either: some 10 ms of work. boilerpipe takes 0.78 ms a page (240 kB) in batches
# of 1, 2 and 4 MB, 0.80 ms at 256 kB and 0.82 ms page by page.
_BATCH_PAGES = 16
_BATCH_BYTES = 2 * 1024 * 1024


class Source(NamedTuple):
    """An item of the input; in place of its page the error, if it is none."""

    page: bytes | Page | TamisError
    url: str | None
    content_type: str | None


Batch: TypeAlias = list[Source]
Answers: TypeAlias = list[Result | TamisError]


def extract_many(
    pages: Iterable[Item],
    *,
    workers: int | None = None,
    options: Options | None = None,
    **fields: Unpack[OptionFields],
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
    >>> for result in extract_many(pages, method="baseline"):
    ...     if isinstance(result, TamisError):
    ...         print("no page:", result)
    ...     else:
    ...         print(result.url, result.text)
    None A tamis is a sieve.
    no page: a page is str, bytes, bytearray or memoryview, not NoneType; read a file or a response first
    https://a.example/2 A chinois, too.
    """  # noqa: E501
    options = chosen(options, fields)
    if workers is not None and workers < 1:
        raise ValueError(f"workers is {workers}; give 1 or more, or None for one a processor")
    if isinstance(pages, str | bytes | Page):
        raise InputError("pages is a single page; give a list of pages, or use extract")
    method = options.make_method()
    batches = _batches(iter(pages), options)
    return _extract_many(batches, method, options, workers or processors())


def _extract_many(
    batches: Iterator[Batch | Exception], method: Method, options: Options, workers: int
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
        yield from extract_batch(batch, method, options)


# Batches


def _batches(pages: Iterator[Item], options: Options) -> Iterator[Batch | Exception]:
    """The pages in batches; at the end, if `pages` raised one, the exception."""
    batch: Batch = []
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


def _source(item: Any, options: Options) -> Source:
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
    return Source(page, url, content_type)


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


def extract_batch(batch: Batch, method: Method, options: Options) -> Answers:
    """What a batch holds: all its pages at once, or if that fails each alone."""
    started = time.monotonic()
    found = [_read(source, options) for source in batch]
    answers: Answers
    try:
        scored = iter(method.score_many([page for page in found if isinstance(page, Page)]))
        answers = [
            result_of(page, next(scored), method, options, source.url)
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


def _read(source: Source, options: Options) -> Page | TamisError:
    page, _, content_type = source
    if isinstance(page, Page | TamisError):
        return page
    return _caught(partial(parse, page, options, content_type=content_type))


def _extract_alone(source: Source, options: Options) -> Result | TamisError:
    page, url, content_type = source
    if isinstance(page, TamisError):
        return page
    return _caught(partial(extract, page, url=url, options=options, content_type=content_type))


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
    batches: Iterator[Batch | Exception], options: Options, workers: int
) -> Iterator[Result | TamisError]:
    from concurrent.futures import ThreadPoolExecutor

    # The page was in time once; that this process is busy when somebody asks for it is no error.
    unhurried = replace(options, max_seconds=math.inf)
    pool = [_Worker(options) for _ in range(workers)]
    idle = deque(pool)
    threads = ThreadPoolExecutor(workers, "tamis")  # one a worker, to wait for it
    waiting: deque[tuple[Batch, Future[Answers]]] = deque()
    failure: Exception | None = None

    def ask(batch: Batch) -> Answers:
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
    source: Source, answer: Result | TamisError, options: Options
) -> Result | TamisError:
    """A worker's answer, with the page that the worker did not send back."""
    page = source.page
    if isinstance(answer, TamisError) or isinstance(page, TamisError):
        return answer
    if isinstance(page, Page) and not answer.embedded:
        return replace(answer, _page=page)
    return replace(answer, _page=partial(_page_again, source, options, answer.embedded))


def _page_again(source: Source, options: Options, embedded: str | None) -> Page:
    """The page of a result: as its source has it, or made of what is embedded there."""
    assert not isinstance(source.page, TamisError)
    if embedded:
        return extract(
            source.page, url=source.url, options=options, content_type=source.content_type
        ).page
    assert isinstance(source.page, bytes)
    return parse(source.page, options, content_type=source.content_type)


class _Worker:
    """A process that extracts."""

    def __init__(self, options: Options) -> None:
        self._process = Process("tamis.many:answering", options)
        self.kill = self._process.kill
        self.end = self._process.end

    def extract(self, batch: Batch) -> Answers:
        """Extract in the process; if it dies, once more for each page alone."""
        answers = self._ask(batch)
        if not isinstance(answers, CrashError):
            return answers
        alone: Answers = []
        for source in batch:
            answers = self._ask([source])
            if isinstance(answers, CrashError):
                answers.url = source.url
                answers = [answers]
            alone += answers
        return alone

    def _ask(self, batch: Batch) -> Answers | CrashError:
        try:
            answers: Answers = self._process.ask(batch)
        except Lost as lost:
            if lost.reason == "start":
                raise CrashError(
                    f"a worker process {lost} before it began; workers=1 needs none"
                ) from None
            return CrashError(
                f"the process that extracted the page {lost};"
                " there was no memory left, or it is a defect of tamis"
            )
        except Exception as error:  # whatever does not pickle
            return CrashError(f"the page cannot be sent to a process: {error}")
        return answers


def answering(options: Options) -> Callable[[Batch], Answers]:
    """What a worker process answers a batch with."""
    method = options.make_method()
    return lambda batch: list(map(_without_page, extract_batch(batch, method, options)))


def _without_page(answer: Result | TamisError) -> Result | TamisError:
    if isinstance(answer, TamisError):
        return answer
    return _caught(lambda: replace(answer, _page=_left_behind, _text=answer.text))


def _left_behind() -> Page:
    raise AssertionError("the page is added where the result arrives")
