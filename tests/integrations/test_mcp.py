"""`tamis mcp` in a process of its own, asked by the client of the official SDK."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tests.integrations.examples import examples, run_example
from tests.servers import serving

pytest.importorskip("mcp", reason="needs tamis[mcp]: make integrations")

import httpx
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

PARAGRAPH = (
    "A dry stone wall is built without mortar; it stands because each stone rests on two others,"
    " and because its two faces lean against each other. Such walls are found wherever fields are"
    " full of stones, and the oldest of them have stood for three thousand years. "
)
ARTICLE = f"""<!doctype html><html lang=en><head><title>Dry stone walls - The Field</title></head>
<body><nav><a href=/>Home</a> <a href=/news>News</a> <a href=/about>About us</a></nav>
<article><h1>Dry stone walls</h1>{f"<p>{PARAGRAPH}</p>" * 40}
<p>See <a href=/tools>the tools</a> of the builders: a hammer, a line and patience.</p></article>
<footer>Imprint, privacy, the terms of The Field, and how to subscribe</footer></body></html>"""
FRONT = (Path(__file__).parents[1] / "pages" / "listing-en" / "source.html").read_text("utf-8")
PAGES: dict[str, tuple[str, str | bytes]] = {
    "/wall": ("text/html; charset=utf-8", ARTICLE),
    "/private/wall": ("text/html; charset=utf-8", ARTICLE),
    "/front": ("text/html; charset=utf-8", FRONT),
    "/data": ("application/json", '{"stones": 12}'),
    "/script": ("application/javascript", "const stones = 12;"),
    "/notes": ("application/octet-stream", "12 stones, 3 of them slate"),
    "/picture": ("image/png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
    "/hidden": ("text/html", ARTICLE.replace("<article>", "<article style='display:none'>")),
    "/robots.txt": ("text/plain", "User-agent: *\nDisallow: /private/\n"),
}


class Field(BaseHTTPRequestHandler):
    asked: ClassVar[list[str]] = []

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test output clean."""

    def do_GET(self) -> None:
        self.asked.append(self.path)
        if self.path == "/moved":
            self.send_response(301)
            self.send_header("Location", "/private/wall")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        kind, text = PAGES.get(self.path, ("", ""))
        body = text if isinstance(text, bytes) else text.encode()
        self.send_response(200 if text else 404)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with serving(Field) as address:
        yield address


@asynccontextmanager
async def started(*options: str) -> AsyncIterator[Client]:
    """A client of `tamis mcp` over stdio."""
    command = StdioServerParameters(
        command=sys.executable,
        args=["-m", "tamis", "mcp", *options],
        env={"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )
    async with Client(stdio_client(command)) as client:
        yield client


async def asked(client: Client, tool: str, **arguments: Any) -> str:
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer.content
    return str(getattr(answer.content[0], "text", ""))


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    answer = await client.call_tool(tool, arguments)
    assert answer.is_error
    return str(getattr(answer.content[0], "text", ""))


def test_the_tools_have_the_names_and_parameters_of_the_reference_server() -> None:
    async def run() -> None:
        async with started() as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert set(tools) == {"fetch", "extract", "explain", "links"}
            schema = tools["fetch"].input_schema
            assert list(schema["properties"]) == ["url", "max_length", "start_index", "raw"]
            assert schema["required"] == ["url"]
            defaults = {name: each.get("default") for name, each in schema["properties"].items()}
            assert defaults == {"url": None, "max_length": 5000, "start_index": 0, "raw": False}
            assert all(
                tool.annotations and tool.annotations.read_only_hint for tool in tools.values()
            )
            for tool in tools.values():  # none takes what could name code
                assert not {"method", "parameters", "options"} & {*tool.input_schema["properties"]}
            prompts = (await client.list_prompts()).prompts
            assert [prompt.name for prompt in prompts] == ["fetch"]

    asyncio.run(run())


def test_a_page_is_fetched_in_parts_that_make_the_whole(site: str) -> None:
    async def run() -> None:
        async with started("--allow-private") as client:
            url = f"{site}/wall"
            whole = await asked(client, "fetch", url=url, max_length=999999)
            head = f"Contents of {url}:\n"
            assert whole.startswith(f"{head}# Dry stone walls\n\nA dry stone wall")
            assert "About us" not in whole
            assert "Imprint" not in whole
            assert f"[the tools]({site}/tools)" in whole
            Field.asked.clear()
            parts, start, tail = [], 0, "<error>Content truncated. Call the fetch tool with"
            while True:
                part = await asked(client, "fetch", url=url, start_index=start)
                content, cut, rest = part.removeprefix(head).partition(f"\n\n{tail}")
                parts.append(content)
                if not cut:
                    break
                start = int(re.findall(r"a start_index of (\d+) to get more content", rest)[0])
            assert len(parts) > 1
            assert "".join(parts) == whole.removeprefix(head)
            assert Field.asked.count("/wall") == 1
            beyond = await asked(client, "fetch", url=url, start_index=10**6)
            assert beyond == f"{head}<error>No more content available.</error>"

    asyncio.run(run())


def test_raw_pages_and_data_come_as_they_are(site: str) -> None:
    async def run() -> None:
        async with started("--allow-private-ips") as client:
            raw = await asked(client, "fetch", url=f"{site}/wall", raw=True, max_length=999999)
            said = "cannot be simplified to markdown, but here is the raw content:"
            assert raw == (
                f"Content type text/html; charset=utf-8 {said}\nContents of {site}/wall:\n{ARTICLE}"
            )
            data = await asked(client, "fetch", url=f"{site}/data")
            assert data.endswith(f'Contents of {site}/data:\n{{"stones": 12}}')
            script = await asked(client, "fetch", url=f"{site}/script")
            assert script == (
                f"Content type application/javascript {said}\nContents of {site}/script:\n"
                "const stones = 12;"
            )
            notes = await asked(client, "fetch", url=f"{site}/notes")
            assert notes.endswith("12 stones, 3 of them slate")
            picture = await refused(client, "fetch", url=f"{site}/picture")
            assert f"{site}/picture: no text, it seems to be a PNG image" in picture

    asyncio.run(run())


def test_what_is_hidden_until_a_script_runs_is_read(site: str) -> None:
    async def run() -> None:
        async with started("--allow-private") as client:
            text = await asked(client, "fetch", url=f"{site}/hidden")
            assert "A dry stone wall is built without mortar" in text

    asyncio.run(run())


def test_robots_txt_holds_for_models_and_not_for_people(site: str) -> None:
    async def run() -> None:
        async with started("--allow-private") as client:
            for path in ("/private/wall", "/moved"):
                message = await refused(client, "fetch", url=site + path)
                assert (
                    f"{site}/robots.txt does not allow tamis to read {site}/private/wall" in message
                )
                assert message.endswith("or let the user read it by the prompt fetch")
            prompt = await client.get_prompt("fetch", {"url": f"{site}/private/wall"})
            assert "# Dry stone walls" in str(prompt.messages[0].content)
        async with started("--allow-private", "--ignore-robots-txt") as client:
            assert "# Dry stone walls" in await asked(client, "fetch", url=f"{site}/private/wall")

    asyncio.run(run())


def test_addresses_of_this_machine_are_refused_unless_allowed(site: str) -> None:
    async def run() -> None:
        async with started() as client:
            assert "not a public address" in await refused(client, "fetch", url=f"{site}/wall")
            assert "not a public address" in await refused(client, "links", url=f"{site}/front")
            assert "only http and https" in await refused(client, "fetch", url="file:///etc/passwd")
            assert "a valid address" in await refused(client, "fetch", url="http://[::1/")

    asyncio.run(run())


def test_html_is_extracted_explained_and_listed() -> None:
    async def run() -> None:
        async with started() as client:
            text = await asked(client, "extract", html=ARTICLE, format="text", max_length=60)
            assert "A dry stone wall" in text
            assert "Call the extract tool with a start_index of 60" in text
            links = await asked(client, "extract", html=ARTICLE, base_url="https://field.example/a")
            assert "(https://field.example/tools)" in links
            dropped = await asked(client, "explain", html=ARTICLE, find="how to  SUBSCRIBE")
            assert "DROPPED, score 0.0" in dropped
            assert "below this page's cut" in dropped
            near = await asked(
                client, "explain", html=ARTICLE, find="a hammer, a line, and much patience"
            )
            assert near.startswith("No block has this text; the nearest one:")
            assert "KEPT" in near
            absent = await asked(client, "explain", html=ARTICLE, find="quantum chromodynamics")
            assert "a script may write it" in absent
            answer = await client.call_tool(
                "links", {"html": FRONT, "base_url": "https://f.example"}
            )
            found = answer.structured_content
            assert found is not None and found["overview"] > 0.5
            assert found["items"][3]["title"] == "Nine knots every passenger should know"
            assert (
                found["items"][3]["link"]
                == "https://f.example/stories/nine-knots-every-passenger-should-know"
            )
            article = (await client.call_tool("links", {"html": ARTICLE})).structured_content
            assert article is not None and article["items"] == []
            assert "give exactly one of" in await refused(client, "links")
            assert "give exactly one of" in await refused(
                client, "links", html="<p>", url="https://a.example"
            )

    asyncio.run(run())


def test_files_are_those_of_the_folders_that_were_named(tmp_path: Path) -> None:
    saved = tmp_path / "saved"
    saved.mkdir()
    (saved / "wall.html").write_text(ARTICLE)
    (tmp_path / "secret.html").write_text(ARTICLE)
    (saved / "link.html").symlink_to(tmp_path / "secret.html")

    async def run() -> None:
        async with started("--files", str(saved)) as client:
            for file in ("wall.html", str(saved / "wall.html")):
                assert "A dry stone wall" in await asked(client, "extract", file=file)
            for file in ("../secret.html", str(tmp_path / "secret.html"), "link.html"):
                message = await refused(client, "extract", file=file)
                assert "not in a folder that this server may read" in message
            assert "no such file" in await refused(client, "extract", file="none.html")
        async with started() as client:
            assert "--files FOLDER" in await refused(
                client, "extract", file=str(saved / "wall.html")
            )

    asyncio.run(run())


@contextmanager
def listening(*options: str, **environment: str) -> Iterator[str]:
    """The address of `tamis mcp --http`."""
    run = subprocess.Popen(
        [sys.executable, "-m", "tamis", "mcp", "--http", "--port", "0", *options],
        env={**os.environ, **environment},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert run.stderr
    reading = threading.Thread(target=run.stderr.read)
    try:
        line = run.stderr.readline()
        assert "listening on" in line, line + run.stderr.read()
        reading.start()
        yield line.split()[-1]
    finally:
        run.terminate()
        run.wait(30)
        reading.join()
        run.stderr.close()


def test_the_same_is_answered_over_streamable_http(site: str) -> None:
    async def run(address: str) -> None:
        async with Client(address) as client:
            text = await asked(client, "fetch", url=f"{site}/wall")
            assert "# Dry stone walls" in text

    with listening("--allow-private") as address:
        asyncio.run(run(address))
        host = address.split("/")[2]
        initialize = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        accept = {"Accept": "application/json, text/event-stream"}
        with httpx.Client(trust_env=False) as client:
            rebound = client.post(
                address, json=initialize, headers={**accept, "Host": "evil.example"}
            )
            assert rebound.status_code == 421
            page = {**accept, "Origin": "https://evil.example", "Host": host}
            assert client.post(address, json=initialize, headers=page).status_code == 403
            page["Origin"] = "https://localhost"
            assert client.post(address, json=initialize, headers=page).status_code == 200


def test_a_token_is_asked_for_before_anything_else() -> None:
    with listening(TAMIS_TOKEN="open-sesame") as address, httpx.Client(trust_env=False) as client:
        asking = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        accept = {"Accept": "application/json, text/event-stream"}
        assert client.post(address, json=asking, headers=accept).status_code == 401
        wrong = {**accept, "Authorization": "Bearer sesame"}
        assert client.post(address, json=asking, headers=wrong).status_code == 401
        right = {**accept, "Authorization": "Bearer open-sesame"}
        assert client.post(address, json=asking, headers=right).status_code == 200


def test_other_machines_need_a_token() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tamis", "mcp", "--http", "--host", "0.0.0.0"],
        env={**os.environ, "TAMIS_TOKEN": ""},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 2
    assert "set a token" in run.stderr


@examples("mcp")
def test_the_examples_run(code: str, printed: str, tmp_path: Path) -> None:
    run_example(code, printed, tmp_path)
