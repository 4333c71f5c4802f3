"""`tamis mcp`: pages for language models, over the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tamis._runtime.extras import check_installed
from tamis.cli.help import Command
from tamis.cli.output import report
from tamis.cli.parameters import finite, listening_options


@click.command("mcp", cls=Command)
@click.option("--http", is_flag=True, help="Answer over streamable HTTP instead of stdio.")
@click.option(
    "--files",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    multiple=True,
    metavar="FOLDER",
    help="Let models read saved pages of this folder; may be given several times.",
)
@click.option("--user-agent", metavar="TEXT", help="Who is reading, for servers and robots.txt.")
@click.option("--ignore-robots-txt", is_flag=True, help="Read what robots.txt does not allow, too.")
@click.option(
    "--allow-private",
    "--allow-private-ips",
    is_flag=True,
    help="Fetch private and loopback addresses, too.",
)
@click.option(
    "--max-seconds",
    type=click.FloatRange(min=0, min_open=True),
    callback=finite,
    metavar="N",
    help="Longest time to fetch a page, and longest time to extract it.",
)
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

    A client starts it as `tamis mcp` and speaks over stdio. The tool fetch is that of the reference
    server, so that it can take its place. See docs/how-to/integrations/mcp.md.

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
