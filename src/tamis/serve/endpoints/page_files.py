"""The files of the page on which people see, correct and teach the extractor.

They hold nothing of anybody, so they need no token: the page asks for it. Every file of the folder
`page` is served and no other: names are looked up in a list, never joined to a path.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tamis.render.original import POLICY, POLICY_WITH_PICTURES
from tamis.serve.openapi import make_route

FOLDER: Final = Path(__file__).parents[1] / "page"
PREFIX: Final = "/page/"

_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
}
_EXAMPLES = "examples/"

PAGE_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:;"
    " connect-src 'self'; frame-src 'self'; form-action 'none'; base-uri 'none';"
    " frame-ancestors 'none'"
)
"""What the page may do: run its own modules, and ask the service that it came from."""

_FRAME: Final = "frame.html"
# A document that is written into a frame, or given as its `srcdoc`, is under the policy of the page
# around it, too, which allows no style of others and no pictures. So the frame is a file with a
# policy of its own, and what is shown is written into that.
_OF_FRAME = (
    "; base-uri 'none'; form-action 'none'; sandbox allow-same-origin; frame-ancestors 'self'"
)


def make_routes() -> list[Route]:
    files = {
        path.relative_to(FOLDER).as_posix(): path
        for path in sorted(FOLDER.rglob("*"))
        if path.suffix in _TYPES
    }

    async def send_file(request: Request) -> Response:
        name = request.path_params.get("name", "index.html")
        if name not in files:
            raise HTTPException(404, "there is no such file of the page")
        return _answer(request, name, files[name])

    return [make_route("GET", path, send_file) for path in ("/", f"{PREFIX}{{name:path}}")]


def is_file(path: str) -> bool:
    """Whether an address is of the page, whether there is such a file or not."""
    return path == "/" or path.startswith(PREFIX)


def _answer(request: Request, name: str, path: Path) -> Response:
    body, policy = path.read_bytes(), PAGE_POLICY
    if name == _FRAME:
        with_pictures = "pictures" in request.query_params
        policy = (POLICY_WITH_PICTURES if with_pictures else POLICY) + _OF_FRAME
    headers = {
        "ETag": f'"{hashlib.sha256(body).hexdigest()[:32]}"',
        "Cache-Control": "no-cache",
        "Content-Security-Policy": policy,
    }
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    # An example is text for the page to send on, and nothing to be shown by itself.
    kind = "text/plain" if name.startswith(_EXAMPLES) else _TYPES[path.suffix]
    return Response(body, headers=headers, media_type=kind)
