"""Who may ask: before anything of a request is read.

- With a token, who has it. Without one, who reaches the address that is listened on.
- No page of another site, in the browser of somebody who may ask: it has a name of its own as
  `Host` if its name was made to lead here, and `Origin` or `Sec-Fetch-Site` give it away otherwise;
  a browser that sends neither, its `User-Agent`.
"""

from __future__ import annotations

import hmac
import ipaddress
import re
from collections.abc import Iterable

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tamis.serve.endpoints.page_files import PREFIX, is_file
from tamis.serve.problems import Problem
from tamis.serve.service import Service

OPEN_PATHS = frozenset({"/healthz", "/readyz"})
"""What needs no token: monitoring has none."""

# What the answers to all addresses below are counted as.
_TOPS = ("/r", "/v1/project", "/v1/batch/scrape", "/v2/batch/scrape")

# Nothing that is answered runs or loads anything when a browser shows it.
_HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
# A name, or an address of IPv6 in brackets; a port.
_HOST = re.compile(r"([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?")
# What a page may send elsewhere without the browser asking first whether it may.
_FORM_TYPES = (b"", b"application/x-www-form-urlencoded", b"multipart/form-data", b"text/plain")
_BROWSERS = (b"Mozilla/", b"Opera/")
_POLICY = (
    b"content-security-policy",
    b"sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
)


class Guard:
    """Refuses who may not ask, and counts the answers."""

    def __init__(self, app: ASGIApp, service: Service, paths: Iterable[str]) -> None:
        self._app = app
        settings = self._settings = service.settings
        self._service = service
        self._paths = frozenset(paths)
        self._token = settings.token.encode() if settings.token else None
        self._hosts = {"localhost", settings.host.lower(), *map(str.lower, settings.allowed_hosts)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        origin = headers.get(b"origin", b"").decode("latin-1")
        label = self._label(scope["path"])
        shared = []
        if origin in self._settings.cors:
            shared = [(b"access-control-allow-origin", origin.encode()), (b"vary", b"Origin")]

        async def send_counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._service.metrics.count_request(label, message["status"])
                own = message["headers"] = [*message["headers"], *_HEADERS, *shared]
                if not any(name == _POLICY[0] for name, _ in own):
                    own.append(_POLICY)
            await send(message)

        answer: ASGIApp = self._app
        if problem := self._find_problem(scope, headers, origin):
            answer = self._service.refuse(Request(scope), problem)
        elif shared and scope["method"] == "OPTIONS":
            answer = Response(status_code=204, headers=_PREFLIGHT)
        elif endpoint := self._service.endpoints.get((scope["method"], scope["path"])):
            # Called directly where the path has no parameters, which is faster than the router.
            answer = await endpoint(Request(scope, receive))
        await answer(scope, receive, send_counted)

    def _label(self, path: str) -> str:
        if path in self._paths:
            return path
        if is_file(path):
            return PREFIX
        return next((top for top in _TOPS if path.startswith(f"{top}/")), "other")

    def _find_problem(
        self, scope: Scope, headers: dict[bytes, bytes], origin: str
    ) -> Problem | None:
        if is_file(scope["path"]):
            return None  # the same for everybody, and no page of another site may read it
        preflight = scope["method"] == "OPTIONS" and origin in self._settings.cors
        if self._token and scope["path"] not in OPEN_PATHS and not preflight:
            scheme, _, given = headers.get(b"authorization", b"").partition(b" ")
            if scheme.lower() != b"bearer" or not hmac.compare_digest(given.strip(), self._token):
                detail = "this service needs its token; send it as Authorization: Bearer TOKEN"
                return Problem(401, "no token", detail, {"WWW-Authenticate": "Bearer"})
            return None  # no page of another site has it
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        if len(hosts) != 1 or not self._is_own(hosts[0].decode("latin-1")):
            detail = (
                "this service is not known by the name in the Host header, or there is none; ask it"
                " as localhost, or start it with --allow-host NAME"
            )
            return Problem(421, "unknown host", detail)
        if _is_foreign(scope["method"], headers, origin) and origin not in self._settings.cors:
            detail = (
                "pages of other sites may not ask this service; start it with --cors ORIGIN to let"
                " them"
            )
            return Problem(403, "other origin", detail)
        return None

    def _is_own(self, host: str) -> bool:
        """Whether a `Host` is a name of ours; an IP address cannot be made to lead elsewhere."""
        match = _HOST.fullmatch(host)
        if not match:
            return False
        name = match[1].lower().strip("[]")
        if name in self._hosts:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


def _is_foreign(method: str, headers: dict[bytes, bytes], origin: str) -> bool:
    """Whether a page of another site sent a request, other than by a link that was followed."""
    if origin:
        return origin.partition("://")[2].encode("latin-1") != headers.get(b"host")
    site = headers.get(b"sec-fetch-site")
    if site is None:
        return method == "POST" and _is_form_of_old_browser(headers)
    if site in (b"none", b"same-origin"):
        return False
    return not (
        method in ("GET", "HEAD")
        and headers.get(b"sec-fetch-mode") == b"navigate"
        and headers.get(b"sec-fetch-dest") == b"document"
    )


def _is_form_of_old_browser(headers: dict[bytes, bytes]) -> bool:
    """Whether a browser that names no origin may have sent this for a page of another site.

    Browsers since 2020 say `Origin` with every `POST`, but older ones are in use. What they send
    without asking first has a type of a form and a `User-Agent` that the page cannot choose, of a
    browser. Programs have other ones, or send JSON.
    """
    kind = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
    if kind not in _FORM_TYPES:
        return False
    is_browser = headers.get(b"user-agent", b"").startswith(_BROWSERS)
    return is_browser or b"referer" in headers


_PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, POST, DELETE",
    "Access-Control-Allow-Headers": "*, Authorization",
    "Access-Control-Max-Age": "600",
}
