"""`tamis serve`: extraction over HTTP."""

from __future__ import annotations

import os
import sys
import threading
import webbrowser
from typing import Any

import click

from tamis._runtime.extras import check_installed
from tamis.cli.help import Command
from tamis.cli.output import report
from tamis.cli.parameters import count_option, listening_options


@click.command("serve", cls=Command)
@listening_options(8765)
@click.option(
    "--cors",
    multiple=True,
    metavar="ORIGIN",
    help="Let pages of this origin ask: https://app.example; may be given several times.",
)
@click.option(
    "--trust-proxy",
    "trusted_proxies",
    multiple=True,
    metavar="ADDRESS",
    help="The address or network of a proxy before this server, which is believed who its clients"
    " are (X-Forwarded-For); may be given several times.",
)
@click.option(
    "--allow-private",
    is_flag=True,
    help="Fetch private and loopback addresses, too, for whoever asks.",
)
@click.option(
    "--project",
    type=click.Path(file_okay=False),
    metavar="DIR",
    help="The folder of pages that people label here, and of what is taught with them; made if"
    " there is none.",
)
@count_option("--workers", "Processes that extract.  [default: one per processor]", default=None)
@count_option("--queue", "Most requests at a time; the next is answered 429.", default=None)
@count_option("--max-body", "Largest request, in bytes.", default=None)
@count_option("--max-answer", "Largest answer, in bytes.", default=None)
@count_option("--memory", "Most bytes of memory of a worker process.", default=None)
@click.option(
    "--max-seconds",
    type=click.FloatRange(min=0, min_open=True),
    metavar="N",
    help="Longest time to fetch a page, and longest time to extract it.",
)
@click.option(
    "--browser/--no-browser",
    default=None,
    help="Open the page in a browser, or not.  [default: in a terminal with a screen]",
)
def serve_command(browser: bool | None, **choices: Any) -> None:
    """Extract pages for whoever asks over HTTP, on this machine alone unless told otherwise.

    http://127.0.0.1:8765/ is a page on which people see what is kept and why, and correct it.

    http://127.0.0.1:8765/r/https://example.org/ is that page as Markdown. All endpoints are in
    docs/how-to/service.md and, when it runs, in /openapi.json. Ctrl-C and SIGTERM finish what runs.

    \b
    Examples:
      tamis serve
      tamis serve --project mine/
      tamis serve --port 9000 --allow-private
      TAMIS_TOKEN=secret tamis serve --host 0.0.0.0 --workers 8
    """
    for module in ("fastapi", "uvicorn", "httptools", "prometheus_client"):
        check_installed(module, "tamis serve", "serve")
    from tamis.serve.server import more_files, run
    from tamis.serve.settings import ServeSettings

    given = {name: value for name, value in choices.items() if value is not None}
    settings = ServeSettings(**given)
    shows = _can_show() and settings.is_loopback if browser is None else browser

    def ready(address: str) -> None:
        report(f"listening on {address}")
        if shows:
            threading.Thread(target=webbrowser.open, args=(f"{address}/",), daemon=True).start()

    more_files()
    run(settings, ready)


def _can_show() -> bool:
    """Whether somebody sits here who would see a browser: not in scripts, over SSH, in tests."""
    has_screen = sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
    return has_screen and "SSH_CONNECTION" not in os.environ and sys.stderr.isatty()
