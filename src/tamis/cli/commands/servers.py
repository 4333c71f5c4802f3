"""`tamis serve` and `tamis mcp`: extraction over HTTP, and tools for language models."""

from __future__ import annotations

import os
import sys
import threading
import webbrowser
from pathlib import Path
from typing import Any

import click

from tamis._runtime.libraries import check_installed
from tamis.cli import Command
from tamis.cli.output import report
from tamis.cli.parameters import (
    count_option,
    listening_options,
    repeated_option,
    require_finite,
    seconds_option,
    text_option,
)

_MAX_SECONDS = "Longest time to fetch a page, and longest time to extract it."


@click.command("serve", cls=Command)
@listening_options(8765)
@repeated_option(
    "--cors", "ORIGIN", "Allow requests from pages of this origin: https://app.example."
)
@repeated_option(
    "--trust-proxy trusted_proxies",
    "ADDRESS",
    "The address or network of a proxy in front of this server. tamis believes what it says"
    " about its clients (X-Forwarded-For).",
)
@click.option(
    "--allow-private",
    is_flag=True,
    help="Also fetch private and loopback addresses, for every client.",
)
@text_option(
    "--project",
    "DIR",
    "The folder of pages that people label here, and of the weights taught with them. tamis"
    " makes it if there is none.",
    type=click.Path(file_okay=False),
)
@count_option("--workers", "Processes that extract.  [default: one per processor]", default=None)
@count_option("--queue", "Most requests at a time; further ones get status 429.", default=None)
@count_option("--max-body", "Largest request, in bytes.", default=None)
@count_option("--max-answer", "Largest answer, in bytes.", default=None)
@count_option("--memory", "Most memory of a worker process, in bytes.", default=None)
@seconds_option("--max-seconds", _MAX_SECONDS)
@click.option(
    "--browser/--no-browser",
    default=None,
    help="Open the page in a browser.  [default: if a person sits at a terminal with a screen]",
)
def serve_command(browser: bool | None, **choices: Any) -> None:
    """Extract pages over HTTP, by default for this machine only.

    At http://127.0.0.1:8765/ you see what is kept of a page and why, and you can correct it.

    http://127.0.0.1:8765/r/https://example.org/ gives that page as Markdown. All endpoints are in
    docs/how-to/service.md and in /openapi.json of the server. Ctrl-C and SIGTERM stop it after the
    requests that run.

    \b
    Examples:
      tamis serve
      tamis serve --project mine/
      tamis serve --port 9000 --allow-private
      TAMIS_TOKEN=secret tamis serve --host 0.0.0.0 --workers 8
    """
    for module in ("starlette", "uvicorn", "httptools", "prometheus_client"):
        check_installed(module, "tamis serve", "serve")
    from tamis.serve.app import more_files, run
    from tamis.serve.settings import ServeSettings

    given = {name: value for name, value in choices.items() if value is not None}
    settings = ServeSettings(**given)
    shows = _can_show() and settings.is_loopback if browser is None else browser

    def report_ready(address: str) -> None:
        report(f"listening on {address}")
        if shows:
            threading.Thread(target=webbrowser.open, args=(f"{address}/",), daemon=True).start()

    more_files()
    run(settings, report_ready)


def _can_show() -> bool:
    """Whether somebody would see a browser here: not in a script, over SSH or in a test."""
    has_screen = sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
    return has_screen and "SSH_CONNECTION" not in os.environ and sys.stderr.isatty()


@click.command("mcp", cls=Command)
@click.option("--http", is_flag=True, help="Answer over streamable HTTP instead of stdio.")
@repeated_option(
    "--files",
    "FOLDER",
    "Let models read saved pages in this folder.",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
)
@text_option("--user-agent", "TEXT", "Your name for servers and robots.txt.")
@click.option("--ignore-robots-txt", is_flag=True, help="Also read what robots.txt forbids.")
@click.option(
    "--allow-private",
    "--allow-private-ips",
    is_flag=True,
    help="Also fetch private and loopback addresses.",
)
@seconds_option("--max-seconds", _MAX_SECONDS, callback=require_finite)
@listening_options(8766, "With --http: ")
def mcp_command(
    http: bool,
    files: tuple[Path, ...],
    user_agent: str | None,
    ignore_robots_txt: bool,
    allow_private: bool,
    max_seconds: float | None,
    **where: Any,
) -> None:
    """Read pages for a language model: the tools fetch, extract, explain and links.

    A client starts `tamis mcp` and speaks to it over stdio. The tool fetch works like that of the
    reference server, so you can replace that server. See docs/how-to/integrations/mcp.md.

    \b
    Examples:
      tamis mcp
      tamis mcp --files saved/ --user-agent 'my-assistant/1.0'
      TAMIS_TOKEN=secret tamis mcp --http --host 0.0.0.0
    """
    check_installed("mcp", "tamis mcp", "mcp")
    from tamis.integrations.mcp import McpSettings, run_http, run_stdio
    from tamis.serve.settings import ServeSettings

    usual = McpSettings()
    settings = McpSettings(
        user_agent=user_agent or usual.user_agent,
        robots=not ignore_robots_txt,
        allow_private=allow_private,
        files=files,
        max_seconds=max_seconds or usual.max_seconds,
    )
    if http:
        run_http(settings, ServeSettings(**where), lambda at: report(f"listening on {at}"))
    else:
        run_stdio(settings)
