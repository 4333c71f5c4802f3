"""Extraction of many pages: in batches, in several processes, in order.

Pages are read ahead into batches. A batch goes to a worker process and comes back as scores and
text; the page tables stay behind, since sending one takes as long as reading the page again. A
worker that dies takes nothing with it but the page it died of.
"""

from __future__ import annotations

import math
import os
import pickle
import time
from codecs import BOM_UTF8
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, NamedTuple, TypeAlias, TypeVar, Unpack, overload

from tamis._runtime.processes import Lost, Pool, Process, count_processors
from tamis.errors import CrashError, InputError, TamisError
from tamis.flow import extract, make_result
from tamis.inputs import Fetched, PageInput, read_html, unwrap
from tamis.methods._base import Method
from tamis.options import OptionFields, Options, choose_options
from tamis.page.encoding import decode
from tamis.page.reader import find_kind, parse
from tamis.page.table import Page
from tamis.result import Result

_T = TypeVar("_T")
PageLike: TypeAlias = PageInput | Page | Fetched
InputItem: TypeAlias = (
    PageLike | tuple[PageLike, str | None] | tuple[PageLike, str | None, str | None] | TamisError
)
_Then: TypeAlias = Callable[[Result], Any]

# A batch is full at either: some 10 ms of work. boilerpipe takes 0.78 ms per page (240 kB) in
# batches of 1, 2 and 4 MB, 0.80 ms at 256 kB and 0.82 ms page by page.
_BATCH_PAGES = 16
_BATCH_BYTES = 2 * 1024 * 1024

_DEFECT = "report the page as a defect of tamis"


class InputPage(NamedTuple):
    """An item of the input; in place of its page the error, if it is none."""

    page: bytes | Page | TamisError
    url: str | None
    content_type: str | None


@overload
def extract_many(
    pages: Iterable[InputItem],
    *,
    workers: int | None = None,
    then: None = None,
    options: Options | None = None,
    **fields: Unpack[OptionFields],
) -> Generator[Result | TamisError, None, None]: ...


@overload
def extract_many(
    pages: Iterable[InputItem],
    *,
    workers: int | None = None,
    then: Callable[[Result], _T],
    options: Options | None = None,
    **fields: Unpack[OptionFields],
) -> Generator[_T | TamisError, None, None]: ...


def extract_many(
    pages: Iterable[InputItem],
    *,
    workers: int | None = None,
    then: _Then | None = None,
    options: Options | None = None,
    **fields: Unpack[OptionFields],
) -> Generator[Any, None, None]:
    """Extract many pages in several processes; results come in the order of the pages.

    Each item of `pages` is what `extract` takes as its page, or a tuple `(page, url)` or
    `(page, url, content_type)`. For each there is a `Result`, or the `TamisError` that `extract`
    would raise: a value, so that one bad page does not stop the rest. `error.url` says which. A
    `TamisError` in place of a page, which could not be fetched or read, comes back in its place.

    `pages` may be endless: it is read as results are taken, some batches of 16 pages ahead. If it
    raises, so does this, after the results of the pages before. `close()` ends the processes early.

    `workers` is the number of processes, one per processor unless given. With 1, and for the few
    pages of a single batch, all is done in this process.

    >>> from tamis import TamisError
    >>> pages = ["<p>A tamis is a sieve.", None, ("<p>A chinois, too.", "https://a.example/2")]
    >>> for result in extract_many(pages, method="baseline"):
    ...     if isinstance(result, TamisError):
    ...         print("no page:", result)
    ...     else:
    ...         print(result.url, result.text)
    None A tamis is a sieve.
    no page: a page is HTML as str or bytes, a pathlib.Path or an open file, not NoneType; of a response give its bytes
    https://a.example/2 A chinois, too.

    A result of another process has its text with it and reads the page again for all else. If that
    is wanted, `then` makes it where the page is: it gets each `Result` in the worker process, and
    what it returns comes in place of the result; what it raises, as a `CrashError`. It must be
    known to other processes by its name: a function of a module, not of the script itself.

    >>> from operator import attrgetter
    >>> list(extract_many(["<p>A <b>fine</b> sieve."], method="baseline", then=attrgetter("markdown")))
    ['A **fine** sieve.']
    """  # noqa: E501
    options = choose_options(options, fields)
    if workers is not None and workers < 1:
        raise ValueError(f"workers is {workers}; give 1 or more, or None for one per processor")
    if isinstance(pages, str | bytes | Page | os.PathLike) or hasattr(pages, "read"):
        raise InputError("pages is a single page; give a list of pages, or use extract")
    if then is not None and workers != 1:
        _check_importable("then", then)
    checked = (_check_item(item, options) for item in iter(pages))
    here = make_worker((options, then))
    full = make_batches(checked, lambda item: _measure(item.page))
    return _extract_many(full, here, options, workers or count_processors(), then)


def _check_importable(name: str, value: object) -> None:
    try:
        pickled = pickle.dumps(value)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise TypeError(
            f"{name} cannot be sent to a process ({error}); give one of a module, or workers=1"
        ) from error
    if b"__main__" in pickled:
        raise TypeError(
            f"{name} is {value!r}, of the script itself, which no process can import;"
            " give one of a module, or workers=1"
        )


def _extract_many(
    full: Iterator[list[InputPage]],
    here: Callable[[list[InputPage]], list[Any]],
    options: Options,
    workers: int,
    then: _Then | None,
) -> Generator[Any, None, None]:
    if workers > 1:
        first = next(full, [])
        try:
            second = next(full, [])
        except Exception:  # of the input: it comes after what was there before
            yield from here(first)
            raise
        full = chain([first], [second] if second else [], full)
        if second:
            yield from _extract_in_processes(full, options, workers, then)
            return
    for batch in full:
        yield from here(batch)


# Batches


def make_batches(items: Iterable[_T], size: Callable[[_T], float]) -> Iterator[list[_T]]:
    """Items in batches of some pages or, by the size of each, of some bytes.

    What `items` raises comes after the items that were there before.
    """
    batch: list[_T] = []
    total = 0.0
    try:
        for item in items:
            batch.append(item)
            total += size(item)
            if len(batch) >= _BATCH_PAGES or total >= _BATCH_BYTES:
                yield batch
                batch, total = [], 0.0
    except Exception:
        if batch:
            yield batch
        raise
    if batch:
        yield batch


def _check_item(item: Any, options: Options) -> InputPage:
    """An item, checked: what is no page at first sight does not go to a worker."""
    if isinstance(item, TamisError):
        return InputPage(item, item.url, None)
    page, url, content_type = item, None, None
    try:
        if isinstance(item, tuple):
            page, url, content_type = _check_tuple(item)
        page, url, content_type = unwrap(page, url, content_type)
        if not isinstance(page, Page):
            page = read_html(page, options.max_bytes)
        if isinstance(page, bytes | bytearray | memoryview):
            page = bytes(page)  # an array may change, a subclass may not pickle
        if not isinstance(page, Page) and _measure(page) > options.max_bytes:
            parse(page, options)  # which says what is wrong
        if isinstance(page, str):
            page, content_type = encode_page(page), "text/html; charset=utf-8"
    except Exception as error:  # one bad page is a value, never the end
        page = InputError(f"the page cannot be read: {error}")  # a memoryview that was released
        if isinstance(error, TamisError):
            page = error.with_traceback(None)
        page.url = url
    return InputPage(page, url, content_type)


def encode_page(page: str) -> bytes:
    """Text as bytes that are read as the same page; a worker has them sooner than the text."""
    source = decode(page).source
    # What is given as text is text, whatever it looks like as bytes: a mark says so.
    return BOM_UTF8 + source if source.startswith(BOM_UTF8) or find_kind(source) else source


def _check_tuple(item: tuple[Any, ...]) -> tuple[Any, str | None, str | None]:
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


def _measure(page: object) -> float:
    if isinstance(page, Page):
        return len(page.source)
    if isinstance(page, TamisError):
        return 0
    return len(page) if isinstance(page, str | bytes) else math.inf


def extract_batch(
    batch: list[InputPage], method: Method, options: Options
) -> list[Result | TamisError]:
    """What a batch holds: all its pages at once, or if that fails each alone."""
    started = time.monotonic()
    tables = [_read(item, options) for item in batch]
    try:
        scores = iter(method.score_many([page for page in tables if isinstance(page, Page)]))
        results = [
            make_result(page, next(scores), method, options, item.url)
            if isinstance(page, Page)
            else page
            for item, page in zip(batch, tables, strict=True)
        ]
        # Who was slow? Reading has its own clock, scoring many at once has none for each page.
        if time.monotonic() - started <= options.max_seconds:
            return results
    except Exception:  # one page did it: each alone says which
        pass
    return [
        page if isinstance(page, TamisError) else _extract_alone(item, options)
        for item, page in zip(batch, tables, strict=True)
    ]


def _read(item: InputPage, options: Options) -> Page | TamisError:
    page, _, content_type = item
    if isinstance(page, Page | TamisError):
        return page
    return catch_error(partial(parse, page, options, content_type=content_type))


def _extract_alone(item: InputPage, options: Options) -> Result | TamisError:
    page, url, content_type = item
    if isinstance(page, TamisError):
        return page
    return catch_error(partial(extract, page, url=url, options=options, content_type=content_type))


def catch_error(make: Callable[[], _T], advice: str = _DEFECT) -> _T | TamisError:
    """What `make` makes, or why it does not; without the traceback, which would hold the page."""
    try:
        return make()
    except TamisError as error:
        return error.with_traceback(None)
    except Exception as error:  # a defect is a value too, with its traceback
        import traceback

        crash = CrashError(f"{type(error).__name__}: {error}; {advice}")
        crash.add_note(traceback.format_exc())
        return crash


# Processes


def make_worker(made_from: tuple[Options, _Then | None]) -> Callable[[list[InputPage]], list[Any]]:
    """What a batch is answered with, in a worker process or in this one."""
    options, then = made_from
    method = options.make_method()
    advice = _DEFECT if then is _leave_page else "the function given as `then` raised it"

    def finished(item: InputPage, answer: Any) -> Any:
        if then and not isinstance(answer, TamisError):
            answer = catch_error(partial(then, answer), advice)
        if isinstance(answer, TamisError):
            answer.url = item.url
        return answer

    return lambda batch: list(map(finished, batch, extract_batch(batch, method, options)))


def _extract_in_processes(
    full: Iterator[list[InputPage]], options: Options, workers: int, then: _Then | None
) -> Iterator[Any]:
    # The page was in time once; a process that is busy when somebody asks for it is not an error.
    unhurried = replace(options, max_seconds=math.inf)
    made_from = (options, then or _leave_page)
    _check_importable("method", options.method)

    def ask(batch: list[InputPage], process: Process) -> tuple[list[InputPage], list[Any]]:
        return batch, process.ask_each(batch)

    with Pool(workers, lambda _: Process("tamis.many:make_worker", made_from)) as pool:
        try:
            for batch, answers in pool.results(pool.submit(partial(ask, batch)) for batch in full):
                for item, answer in zip(batch, answers, strict=True):
                    if isinstance(answer, Lost):
                        yield make_crash_error(answer, item.url)
                    elif then or isinstance(answer, TamisError):
                        yield answer
                    else:
                        yield _add_page(item, answer, unhurried)
        except Lost as lost:
            raise CrashError(f"a worker process {lost}; workers=1 needs none") from lost


def make_crash_error(lost: Lost, url: str | None) -> CrashError:
    usual = "; there was no memory left, or it is a defect of tamis"
    advice = usual if lost.reason == "crash" else ""
    crash = CrashError(f"the process that extracted the page {lost}{advice}")
    crash.url = url
    for note in getattr(lost, "__notes__", ()):
        crash.add_note(note)
    return crash


def _leave_page(result: Result) -> Result:
    """A result as it is sent: its text is made, its page is left behind."""
    return replace(result, _page=_left_behind, _text=result.text)


def _left_behind() -> Page:
    raise AssertionError("the page is added where the result arrives")


def _add_page(item: InputPage, result: Result, options: Options) -> Result:
    """A worker's result, with the page that the worker did not send back."""
    if isinstance(item.page, Page) and not result.embedded:
        return replace(result, _page=item.page)
    return replace(result, _page=partial(_read_page_again, item, options, result.embedded))


def _read_page_again(item: InputPage, options: Options, embedded: str | None) -> Page:
    """The page of a result: as its source has it, or made of what is embedded there."""
    page, url, content_type = item
    assert not isinstance(page, TamisError)
    if embedded:
        return extract(page, url=url, options=options, content_type=content_type).page
    assert isinstance(page, bytes)
    return parse(page, options, content_type=content_type)
