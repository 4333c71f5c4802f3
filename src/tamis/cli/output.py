"""Writing: UTF-8 to standard output whatever the locale, and files that appear whole or not."""

from __future__ import annotations

import contextlib
import os
import sys

from tamis import storage
from tamis.errors import OutputError


def one_line(text: str) -> str:
    """Return `text` on one line, with nothing in it that a terminal would obey."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in " ".join(text.split()))


def write(content: str | bytes, path: str | None = None) -> None:
    """Write to standard output, or to a file that holds either its old content or all the new."""
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    try:
        if path is None or path == "-":
            _write_stdout(data)
        elif os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
            with open(path, "wb") as device:  # /dev/null, a named pipe: must not be replaced
                device.write(data)
        else:
            storage.write(path, data)
    except BrokenPipeError:
        raise
    except (OSError, OutputError) as error:
        problem = str(error)
        if isinstance(error, OSError):
            where = "standard output" if path is None or path == "-" else path
            problem = f"{where}: cannot be written ({error.strerror or error})"
        raise OutputError(f"{problem}; choose another place with --output") from error


def _write_stdout(data: bytes) -> None:
    if sys.stdout is None:
        raise OSError("it is closed")
    rest = memoryview(data)
    try:
        # Under PYTHONUNBUFFERED this is a bare file, which may write less than it was given.
        while rest:
            rest = rest[sys.stdout.buffer.write(rest) :]
        sys.stdout.buffer.flush()
    except OSError:
        # What is left in the buffer would fail again, with a traceback, when Python exits.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise
