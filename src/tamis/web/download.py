"""One page on its way from the web: http and https only, within a size and a time.

httpx is imported when a download runs, so that you do not pay for it if you never read a URL. Every
failure is a `FetchError` or a `TooLargeError`, in one line: the URL, what was wrong, what to do.
"""

from __future__ import annotations

import contextlib
import ipaddress
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from email.utils import mktime_tz, parsedate_tz
from functools import cache
from typing import TYPE_CHECKING, Any

from tamis._runtime.storage import unpack
from tamis._runtime.version import __version__
from tamis.errors import FetchError, OptionsError, TooLargeError
from tamis.inputs import Fetched

if TYPE_CHECKING:
    import httpx

_ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,text/*;q=0.8,*/*;q=0.1"
_READABLE = ("html", "xml", "json")
_SAVE = "save the page in a browser and give the file instead"
_ADVICE = {401: _SAVE, 403: _SAVE, 404: "check the address", 410: "the page is gone for good"}

USER_AGENT = f"tamis/{__version__}"


class FetchFailure(FetchError):
    """Why a URL could not be read, so that callers can count failures or try again."""

    def __init__(
        self,
        message: str,
        reason: str = "no answer",
        *,
        status: int | None = None,
        retry_after: float | None = None,
        target: str | None = None,
    ) -> None:
        super().__init__(message)
        self.reason = reason
        """`no answer`, `not found`, `http status`, `not html`, `damaged`, `private address` or
        `bad address`."""
        self.status = status
        """Of the answer, if it was that."""
        self.retry_after = retry_after
        """Seconds that the server asks to wait."""
        self.target = target
        """Where a redirect leads that was not followed."""

    @property
    def passing(self) -> bool:
        """Whether it may be otherwise a little later."""
        if self.status is None:
            return self.reason == "no answer"
        return self.status == 429 or self.status >= 500


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchLimits:
    """What a fetch may take, and from whom; the fields are keywords of `tamis.fetch`, too."""

    max_bytes: int = 64 * 1024 * 1024
    """Largest body, both as sent and decompressed."""
    timeout: float = 20.0
    """Longest silence of a server, in seconds."""
    max_seconds: float = 60.0
    """Longest time for the whole, name lookup and redirects included."""
    max_redirects: int = 5
    """Most redirects; the address of each is checked like the first."""
    allow_private: bool = False
    """Read private and loopback addresses, too, and go through the proxy of the environment. If
    not, every address on the path must be a public one, so that a program can fetch what strangers
    ask for."""
    pages_only: bool = True
    """Refuse by the content type what can be no page."""
    user_agent: str = USER_AGENT
    """Who is reading, for the server."""

    def __post_init__(self) -> None:
        for name in ("max_bytes", "timeout", "max_seconds"):
            value = getattr(self, name)
            if not isinstance(value, int | float) or not value > 0:
                raise OptionsError(f"{name} is {value!r}; give a number above 0")


@dataclass(slots=True)
class Download:
    """One fetch under way; `abandon` may be called from another thread."""

    url: str
    limits: FetchLimits
    follow: Callable[[str], bool] = lambda address: True
    """Whether to go on to the address of a redirect."""
    received: int = field(default=0, init=False)
    """Bytes of the page that are here."""
    _socket: socket.socket | None = field(default=None, init=False)
    _abandoned: bool = field(default=False, init=False)

    def start(self) -> Future[Fetched]:
        """Begin; what fails is a `FetchFailure` or a `TooLargeError`.

        In a thread, because a read timeout starts again with every byte and a name lookup has none:
        only someone outside can hold a server that drips its headers to a deadline.
        """
        outcome: Future[Fetched] = Future()
        outcome.set_running_or_notify_cancel()  # who waits may give up, the thread ends by itself

        def run() -> None:
            try:
                outcome.set_result(self._run(self.url))
            except BaseException as error:
                outcome.set_exception(error)

        threading.Thread(target=run, name="tamis-fetch", daemon=True).start()
        return outcome

    def too_late(self) -> FetchFailure:
        return FetchFailure(
            f"{_shorten_url(self.url)}: not read within {self.limits.max_seconds:g} seconds; try"
            " again, or allow more time"
        )

    def abandon(self) -> None:
        """Wake a read that is still waiting, so that its thread ends."""
        self._abandoned = True
        if self._socket is not None:
            with contextlib.suppress(OSError):
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def _run(self, address: str) -> Fetched:
        timeout = min(self.limits.timeout, self.limits.max_seconds)
        try:
            import httpx

            with httpx.Client(
                headers={"User-Agent": self.limits.user_agent, "Accept": _ACCEPT},
                timeout=timeout,
                verify=_load_authorities(self.limits.allow_private),
                trust_env=self.limits.allow_private,
                event_hooks={"response": [_take_location]},
            ) as client:
                return self._follow(client, read_address(address))
        except ImportError as error:
            problem, advice, reason = str(error), "pip install 'httpx[socks]'", "no answer"
        except httpx.TimeoutException:
            problem = f"no answer within {timeout:g} seconds"
            advice, reason = "try again later", "no answer"
        except (httpx.InvalidURL, UnicodeError) as error:
            raise _make_address_error(address, error) from error
        except (httpx.HTTPError, OSError, ValueError) as error:
            problem, advice = _explain(error)
            reason = "damaged" if isinstance(error, ValueError) else "no answer"
        raise FetchFailure(
            f"{_shorten_url(address)}: {_escape_controls(problem)}; {advice}", reason
        )

    def _follow(self, client: httpx.Client, url: httpx.URL) -> Fetched:
        shown, visited = _shorten_url(str(url)), {url}
        for _ in range(self.limits.max_redirects + 1):
            with contextlib.closing(client.send(self._request(client, url), stream=True)) as answer:
                target = answer.extensions["location"]
                if not target or answer.status_code not in (301, 302, 303, 307, 308):
                    return self._page(url, answer)
            redirect = f"{_shorten_url(str(url))}: redirected to {_shorten_url(target)}"
            url = _check_url(url.join(target), redirect)
            if not self.follow(str(url)):
                raise FetchFailure(
                    f"{redirect}; give that address",
                    "http status",
                    status=answer.status_code,
                    target=str(url),
                )
            # Not an error yet: sites redirect to the same address after setting a cookie.
            looping = url in visited
            visited.add(url)
        raise FetchFailure(
            f"{shown}: redirected "
            + ("in a loop" if looping else f"more than {self.limits.max_redirects} times")
            + "; open it in a browser and give the address it ends at",
            "http status",
            status=answer.status_code,
        )

    def _request(self, client: httpx.Client, url: httpx.URL) -> httpx.Request:
        headers = {"Accept-Encoding": "gzip, deflate"}
        extensions: dict[str, Any] = {"trace": self._watch}
        if not self.limits.allow_private:
            # Connect to the very address that was checked: a second lookup could answer otherwise.
            headers["Host"] = url.netloc.decode("ascii")
            extensions["sni_hostname"] = url.raw_host.decode("ascii")
            url = url.copy_with(host=_find_public_address(url))
        return client.build_request("GET", url, headers=headers, extensions=extensions)

    def _watch(self, event: str, info: dict[str, Any]) -> None:
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            self._socket = info["return_value"].get_extra_info("socket")
            if self._abandoned:
                self.abandon()

    def _page(self, url: httpx.URL, answer: httpx.Response) -> Fetched:
        shown = _shorten_url(str(url))
        if answer.status_code >= 400:
            reason = _escape_controls(f"{answer.status_code} {answer.reason_phrase}".strip())
            advice = _ADVICE.get(answer.status_code, "try again later")
            raise FetchFailure(
                f"{shown}: the server answered {reason}; {advice}",
                "not found" if answer.status_code in (404, 410) else "http status",
                status=answer.status_code,
                retry_after=_read_retry_after(answer.headers.get("Retry-After", "")),
            )
        content_type = answer.headers.get("Content-Type")
        kind = (content_type or "").partition(";")[0].strip().lower()
        readable = not kind or kind.startswith("text/") or kind.endswith(_READABLE)
        if self.limits.pages_only and not readable:
            raise FetchFailure(
                f"{shown}: {_escape_controls(kind)} is not a web page; give the address of an HTML"
                " page",
                "not html",
            )
        body, max_bytes = bytearray(), self.limits.max_bytes
        for chunk in answer.iter_raw():
            body += chunk
            self.received = len(body)
            if self.received > max_bytes:
                raise _make_size_error(shown, max_bytes)
        coding = answer.headers.get("Content-Encoding", "").strip().lower()
        plain = coding in ("", "identity") or not body
        text = bytes(body) if plain else unpack(bytes(body), coding, max_bytes)
        if len(text) > max_bytes:
            raise _make_size_error(shown, max_bytes)
        final = str(url.copy_with(username=None, password=None))
        return Fetched(final, text, content_type, answer.status_code)


@cache
def _load_authorities(trust_env: bool) -> ssl.SSLContext:
    """Whom to trust; read once, since that takes 20 ms."""
    import httpx

    return httpx.create_ssl_context(trust_env=trust_env)


def _read_retry_after(retry_after: str) -> float | None:
    """The wait that a `Retry-After` asks for: a number of seconds, or a date."""
    if retry_after.isascii() and retry_after.isdigit():
        return float(retry_after[:9])
    date = parsedate_tz(retry_after)
    try:
        return max(0.0, mktime_tz(date) - time.time()) if date else None
    except (ValueError, OverflowError):  # a year that no clock has
        return None


def _take_location(answer: httpx.Response) -> None:
    # httpx would prepare the next request itself, and trip over targets like `javascript:`.
    answer.extensions["location"] = answer.headers.pop("Location", None)


def read_address(address: str) -> httpx.URL:
    """Parse the address of a page; raise a `FetchFailure` if no page can be there."""
    import httpx

    try:
        return _check_url(httpx.URL(address), _shorten_url(address))
    except (httpx.InvalidURL, UnicodeError) as error:
        raise _make_address_error(address, error) from error


def _make_address_error(address: str, error: Exception) -> FetchFailure:
    problem = _escape_controls(f"not a valid address ({error})")
    return FetchFailure(f"{_shorten_url(address)}: {problem}; check its spelling", "bad address")


def _check_url(url: httpx.URL, shown: str) -> httpx.URL:
    if not url.scheme:
        problem = f"not an address with a scheme; write https://{shown}"
    elif url.scheme not in ("http", "https"):
        problem = (
            f"{_escape_controls(url.scheme)} addresses are not read, only http and https; "
            "give a web address or the path of a saved page"
        )
    elif not url.host:
        problem = "no host name in this address; write it as https://host/path"
    elif (url.port or 0) > 65535:  # the system would take it modulo 65536
        problem = "no such port; ports end at 65535"
    else:
        return url
    raise FetchFailure(f"{shown}: {problem}", "bad address")


def _find_public_address(url: httpx.URL) -> str:
    host = url.raw_host.decode("ascii")
    entries = socket.getaddrinfo(host, url.port, type=socket.SOCK_STREAM)
    addresses = [str(entry[4][0]) for entry in entries]
    if not all(map(is_public, addresses)):
        raise FetchFailure(
            f"{_shorten_url(str(url))}: not a public address; to read private addresses, pass"
            " allow_private=True or --allow-private",
            "private address",
        )
    return addresses[0]


def is_public(address: str) -> bool:
    """Whether an IP address is one that anybody reaches: no private, local or reserved one.

    IPv6 has addresses that lead on to an IPv4 address, which must then be public itself.

    >>> [is_public(address) for address in ("93.184.216.34", "10.0.0.1", "2002:a00:1::")]
    [True, False, False]
    """
    ip = ipaddress.ip_address(address)
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour
        if ip in _NAT64:
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is None:
            # Python takes for global what is not in its list, such as fec0:: and ::7f00:1.
            return ip in _GLOBAL_UNICAST and ip.is_global
        ip = inner
    return ip.is_global and not ip.is_multicast and not any(ip in net for net in _RESERVED)


_GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
# Behind it are IPv4 addresses for machines that have none.
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
# Clouds answer at 168.63.129.16 and 192.0.0.192 with the secrets of the machine; the whole network
# of the latter is for protocols, of which Python before 3.13 knows a part.
_RESERVED = [ipaddress.IPv4Network(net) for net in ("168.63.129.16/32", "192.0.0.0/24")]


def _explain(error: Exception) -> tuple[str, str]:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, socket.gaierror):
            return "no such host", "check the spelling of the address and the network"
        if isinstance(cause, ssl.SSLError):
            return f"no secure connection ({cause.reason or cause})", _SAVE
        cause = cause.__cause__ or cause.__context__
    return str(error) or type(error).__name__, "check the address, or try again later"


def _make_size_error(shown: str, max_bytes: int) -> TooLargeError:
    return TooLargeError(f"{shown}: more than {max_bytes:,} bytes; raise max_bytes to read it")


def _shorten_url(url: str) -> str:
    """The URL for a message: without credentials, on one line, not endless."""
    return _escape_controls(strip_credentials(url))[:200]


def strip_credentials(url: str) -> str:
    """The URL without a user name and password.

    >>> strip_credentials("https://me:secret@a.example/b//c@d")
    'https://a.example/b//c@d'
    """
    scheme, separator, rest = url.partition("://")
    authority = re.split("[/?#]", rest, maxsplit=1)[0]
    return scheme + separator + authority.rpartition("@")[2] + rest[len(authority) :]


def _escape_controls(text: str) -> str:
    # Servers write part of our messages: no line ends, no terminal escapes.
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
