"""Our HTML and Markdown in a real browser: does any of it run a script, or load anything?

    python benchmarks/safety.py                      everything, as the README has it
    python benchmarks/safety.py --only markdown      the other runs stay as they are in the results
    python benchmarks/safety.py --mutated 200        a quick look
    python benchmarks/safety.py --seed 1 --one 4711  what we make of one mutated page

The inputs are the hostile pages of benchmarks/hostile.py, the generated ones of
benchmarks/hostile_places.py, and mutations of them and of tests/pages: bytes flipped, pieces cut
out, doubled, spliced, put into tags, attributes shuffled, declarations of encodings changed. What
we make of them, all blocks kept, is opened in headless Chromium, each output as a document of its
own. The browser may reach nothing: its requests are answered here.

Counted are the outputs in which a script was compiled (Chromium's debugger tells of each, inline
ones and handlers too) or a request was made; and the outputs that have an element
or attribute that is not allowed, or a link that would run a script by the browser's own reading of
its address. With images switched off, nothing at all may be requested; with images, only images
over HTTP. The pages themselves go through the same browser to show that it would notice.

The pages themselves, too, as the page view of `tamis serve` shows them: made harmless, with a
policy of their own. Without pictures nothing may be requested, with them pictures, style sheets
and fonts.

The Markdown of the same pages is rendered by all set-ups of benchmarks/renderers.py. What comes out
is parsed one by one, and opened in the browser, many in one document. Nothing of it may run, there
may be no element, attribute or address that did not come from a mark of ours.

Needs Chromium (`--chromium`). Prints a table, writes benchmarks/results/safety.json if the run is a
whole one, and ends with status 1 if any output does anything.
"""

from __future__ import annotations

import base64
import datetime
import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import click
import hostile
import hostile_places
import renderers
import script
from tests.browser.chromium import Browser, Session, find_chromium

import tamis
from tamis.errors import TamisError
from tamis.render import clean_html, markdown, original

OUT = script.RESULTS / "safety.json"
ORIGIN = "https://tamis.test"
FAVICON = f"{ORIGIN}/favicon.ico"  # asked for by the browser itself
ADDRESS = "https://example.org/sieves/silk.html"
MUTATED = 10_000
UTF8 = "text/html; charset=utf-8"
NO_IMAGES = "img-src 'none'"
"""A policy under which images are not asked for; handlers of theirs run all the same."""
TOGETHER = 50
"""Outputs in the browser at once: each in a frame, a document of its own."""
JOINED = 100_000
"""Characters of rendered Markdown in a document: parsed one by one before, none hides another."""
SETTLING = 0.1
"""Seconds of silence after all have loaded in which scripts may still start."""
PATIENCE = 120.0
"""Seconds for one opening of several documents."""

# --- the inputs ---------------------------------------------------------------------------------

ATTRIBUTE = re.compile(rb"""\s[a-z-]+=(?:"[^"]*"|'[^']*'|[^\s>]+)""")
CHARSETS = (b"utf-7", b"utf-16", b"iso-2022-jp", b"shift_jis", b"gbk", b"x-user-defined", b"big5")

Renderer = Callable[[tamis.Page, Any, str | None, tamis.Options], str]
Mutation = Callable[[bytes, random.Random, list[bytes]], bytes]


def flip(page: bytes, rng: random.Random, seeds: list[bytes]) -> bytes:
    """Some bytes changed."""
    changed = bytearray(page)
    for _ in range(rng.randint(1, 12)):
        changed[rng.randrange(len(changed))] = rng.choice((rng.randrange(256), *b"<>\"'=&/-! \0"))
    return bytes(changed)


def cut(page: bytes, rng: random.Random, seeds: list[bytes]) -> bytes:
    """A piece taken out."""
    start, end = span(page, rng)
    return page[:start] + page[end:]


def double(page: bytes, rng: random.Random, seeds: list[bytes]) -> bytes:
    """A piece copied somewhere else."""
    start, end = span(page, rng)
    place = rng.randint(0, len(page))
    return page[:place] + page[start:end] + page[place:]


def splice(page: bytes, rng: random.Random, seeds: list[bytes]) -> bytes:
    """A piece of another page put in."""
    other = rng.choice(seeds)
    start, end = span(other, rng)
    place = rng.randint(0, len(page))
    return page[:place] + other[start:end] + page[place:]


def shuffle(page: bytes, rng: random.Random, seeds: list[bytes]) -> bytes:
    """Attributes of two pages dealt anew, to any element."""
    values = ATTRIBUTE.findall(page) + ATTRIBUTE.findall(rng.choice(seeds))
    return ATTRIBUTE.sub(lambda match: rng.choice(values), page) if values else page


def nest(page: bytes, rng: random.Random, seeds: list[bytes]) -> bytes:
    """A piece put into an element that changes how it is read."""
    name = rng.choice(
        b"svg math table select template noscript style title textarea xmp pre a b p ul ol li"
        b" blockquote td form iframe mtext foreignObject desc annotation-xml script h2 figure dl"
        b" code".split()
    )
    start, end = span(page, rng)
    depth = rng.choice((1, 1, 1, 3, 30))
    return (
        page[:start]
        + b"<%s>" % name * depth
        + page[start:end]
        + b"</%s>" % name * depth
        + page[end:]
    )


def recode(page: bytes, rng: random.Random, seeds: list[bytes]) -> bytes:
    """Another encoding declared, or a byte order mark."""
    if rng.random() < 0.3:
        return rng.choice((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"+/v8-")) + page
    return re.sub(rb"charset=[\w-]+", b"charset=" + rng.choice(CHARSETS), page)


MUTATIONS: tuple[Mutation, ...] = (flip, cut, double, splice, splice, shuffle, nest, recode)


def span(page: bytes, rng: random.Random) -> tuple[int, int]:
    """A piece of a page, up to 400 bytes."""
    start = rng.randint(0, len(page))
    return start, min(len(page), start + rng.randint(1, 400))


def mutated(seed: int, number: int, seeds: list[bytes]) -> bytes:
    """The page of a number: it depends on the seed, the number and the pages alone."""
    rng = random.Random(f"{seed} {number}")
    page = rng.choice(seeds)
    for _ in range(rng.randint(1, 5)):
        page = rng.choice(MUTATIONS)(page, rng, seeds) or b"<p>"
    return page


def seed_pages() -> list[bytes]:
    """The pages that are mutated."""
    written = sorted((script.ROOT / "tests" / "pages").glob("*/source.html"))
    ordinary = [path.read_bytes() for path in written]
    # As often an ordinary page as a hostile one.
    vectors = [*hostile.pages().values(), *hostile_places.pages().values()]
    return vectors + ordinary * (len(vectors) // len(ordinary))


# --- the outputs --------------------------------------------------------------------------------


def outputs(
    page: bytes, images: bool, url: str | None = ADDRESS, render: Renderer = clean_html.render
) -> Iterator[str]:
    """What we make of a page: all of it, and what a method without weights keeps."""
    everything = tamis.Options(threshold=0.0, images=images, comments=True)
    for options in (everything, tamis.Options(method="baseline", images=images)):
        try:
            result = tamis.extract(page, url=url, options=options)
        except TamisError:
            continue
        yield render(result.page, result.kept, url, options)


# --- what is allowed ---------------------------------------------------------------------------

CHECK = "check-of-tamis"
SANITISED = """(() => {
  const tags = new Set(%s), attributes = new Set(%s), schemes = new Set(%s), unknown = %s;
  const faults = element => {
    const found = [];
    const isUnknown = element.constructor.name == "HTMLUnknownElement";
    if (unknown && (isUnknown || element.localName.includes("-")))
      return element.getAttributeNames().filter(name => /^(on|style$|is$)/.test(name));
    if (!tags.has(element.localName)) found.push("element " + element.localName);
    if (element.namespaceURI != "http://www.w3.org/1999/xhtml") found.push("foreign element");
    for (const name of element.getAttributeNames())
      if (!attributes.has(name)) found.push("attribute " + name);
    if (element.localName == "a" && element.hasAttribute("href") && !schemes.has(element.protocol))
      found.push("link to " + element.protocol);
    return found;
  };
  return [...document.querySelectorAll("iframe")].map(frame => {
    try {
      return [...frame.contentDocument.querySelectorAll("*")].flatMap(faults);
    } catch (error) {  // it went elsewhere, or an element has taken the name of a property
      return ["" + error];
    }
  });
})()
//# sourceURL=%s"""
TAGS = (
    "html head body meta title a abbr article b bdi bdo blockquote br caption cite code col"
    " colgroup dd del dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img ins kbd li main"
    " mark ol p pre q rb rp rt rtc ruby s samp section small span strong sub sup table tbody td"
    " tfoot th thead time tr u ul var wbr"
).split()
ATTRIBUTES = (
    "alt charset class colspan dir headers height href id lang reversed rowspan scope src start"
    " title type value width datetime"
).split()
# What renderers add: alignment of cells, boxes of tasks, links of footnotes.
MORE_OF_MARKDOWN = "align checked disabled name rel role style".split()
# What the browser cannot read as an address, ":", leads nowhere.
SCHEMES = ["http:", "https:", "mailto:", "tel:", ":"]
# The page itself as the page view of `tamis serve` shows it: old elements and looks, too.
MORE_TAGS_OF_ORIGINAL = (
    "acronym address aside big center data details dir fieldset font footer header hgroup label"
    " legend link menu nav nobr output picture search strike style summary tt"
).split()
MORE_OF_ORIGINAL = (
    "abbr align bgcolor border cellpadding cellspacing color cols content data-tamis face hidden"
    " http-equiv media nowrap open referrerpolicy rel role size span style valign"
).split()


@dataclass(frozen=True)
class Allowed:
    """What documents may have."""

    tags: list[str]
    attributes: list[str]
    others: bool = False
    """Elements of other names, without a handler or a style: they do nothing."""


OF_HTML = Allowed(TAGS, ATTRIBUTES)
OF_MARKDOWN = Allowed(
    [*TAGS, *sorted(renderers.TAGS - {*TAGS})], [*ATTRIBUTES, *MORE_OF_MARKDOWN], others=True
)
OF_ORIGINAL = Allowed(
    [*TAGS, *MORE_TAGS_OF_ORIGINAL], [*ATTRIBUTES, *MORE_OF_ORIGINAL], others=True
)


@dataclass
class Seen:
    """What a document did."""

    scripts: int = 0
    requests: list[tuple[str, str]] = field(default_factory=list)
    """Type of what was asked for, and its address."""
    faults: list[str] = field(default_factory=list)


# --- visits -------------------------------------------------------------------------------------


class Visit:
    """Several documents open at once, and what each of them does."""

    def __init__(
        self, browser: Session, documents: list[bytes], content_type: str, policy: str
    ) -> None:
        self.browser = browser
        self.headers = {"Content-Type": content_type}
        if policy:
            self.headers["Content-Security-Policy"] = policy
        self.seen = [Seen() for _ in documents]
        self.bodies = {f"{ORIGIN}/{number}": body for number, body in enumerate(documents)}
        frames = (f"<iframe src=/{number}></iframe>" for number in range(len(documents)))
        self.bodies[f"{ORIGIN}/all"] = "".join(frames).encode()
        self.late = Seen()
        """What documents of an earlier visit did."""
        self.of_frame: dict[str, Seen] = {}

    def run(self) -> list[Seen]:
        """Open the documents, answer the browser until it falls silent."""
        self.browser.send("Page.navigate", url=f"{ORIGIN}/all")
        deadline = time.monotonic() + PATIENCE
        patience = PATIENCE
        while event := self.browser.event(min(patience, deadline - time.monotonic())):
            self.note(event.get("method", ""), event.get("params", {}))
            if event.get("method") == "Page.loadEventFired":
                patience = SETTLING
        if patience != SETTLING:
            raise SystemExit(f"the browser did not open the documents in {PATIENCE:.0f} s")
        return self.seen

    def note(self, method: str, about: dict[str, Any]) -> None:
        """One event."""
        if method == "Page.frameAttached" and about["parentFrameId"] in self.of_frame:
            self.of_frame.setdefault(about["frameId"], self.of_frame[about["parentFrameId"]])
        elif method == "Fetch.requestPaused":
            self.answer(about["requestId"], about["request"]["url"], about)
        elif method == "Network.requestWillBeSent":
            # Those of the web are counted above; what javascript: would do is a script.
            if not about["request"]["url"].startswith(("http:", "https:", "javascript:")):
                who = self.who(about["frameId"])
                who.requests.append((about["type"], about["request"]["url"]))
        elif method == "Debugger.scriptParsed" and about["url"] != CHECK:
            self.who(about.get("executionContextAuxData", {}).get("frameId", "")).scripts += 1
        elif method == "Page.javascriptDialogOpening":
            self.browser.send("Page.handleJavaScriptDialog", accept=True)

    def who(self, frame: str) -> Seen:
        """Which document a frame belongs to."""
        return self.of_frame.get(frame, self.late)

    def answer(self, request: str, url: str, about: dict[str, Any]) -> None:
        """Give the browser a document of ours, once; whatever else it asks for is noted."""
        body = self.bodies.pop(url, None)
        if body is None:
            if url != FAVICON:
                self.who(about["frameId"]).requests.append((about["resourceType"], url))
            self.browser.send("Fetch.failRequest", requestId=request, errorReason="Aborted")
            return
        number = url.removeprefix(f"{ORIGIN}/")
        if number.isdecimal():
            self.of_frame[about["frameId"]] = self.seen[int(number)]
        self.browser.send(
            "Fetch.fulfillRequest",
            requestId=request,
            responseCode=200,
            responseHeaders=[{"name": name, "value": self.headers[name]} for name in self.headers],
            body=base64.b64encode(body).decode(),
        )

    def check(self, allowed: Allowed) -> None:
        """Note what the documents have that is not allowed."""
        lists = allowed.tags, allowed.attributes, SCHEMES, allowed.others
        script = SANITISED % (*map(json.dumps, lists), CHECK)
        answer = self.browser.call("Runtime.evaluate", expression=script, returnByValue=True)
        for seen, faults in zip(self.seen, answer["result"]["value"], strict=True):
            seen.faults += faults


def visits(
    browser: Session,
    documents: dict[str, bytes],
    content_type: str,
    label: str,
    allowed: Allowed = OF_HTML,
    policy: str = "",
) -> dict[str, Seen]:
    """What each of many documents does."""
    names = list(documents)
    seen: dict[str, Seen] = {}
    starts = range(0, len(names), TOGETHER)
    with click.progressbar(starts, label=label, file=sys.stderr) as bar:
        for start in bar:
            batch = names[start : start + TOGETHER]
            visit = Visit(browser, [documents[name] for name in batch], content_type, policy)
            seen |= zip(batch, visit.run(), strict=True)
            visit.check(allowed)
            if visit.late != Seen():
                seen[f"before {batch[0]}"] = visit.late
    return seen


# --- all of it ----------------------------------------------------------------------------------


def rendered(pages: dict[str, bytes], images: bool, label: str) -> dict[str, bytes]:
    """Our HTML of the pages, each output once."""
    names: dict[bytes, str] = {}
    with click.progressbar(pages.items(), label=label, file=sys.stderr) as bar:
        for number, (name, page) in enumerate(bar):
            # A caller may have got a hostile address with the page, too.
            urls = [ADDRESS] if number % 10 else [ADDRESS, hostile.URLS[number // 10 % 5]]
            for url in urls:
                for output in outputs(page, images, url):
                    names.setdefault(output.encode("utf-8", "surrogatepass"), f"{name}, {url}")
    return {
        f"{name}, output {number}": output for number, (output, name) in enumerate(names.items())
    }


def rendered_markdown(
    pages: dict[str, bytes], label: str
) -> tuple[dict[str, bytes], dict[str, list[str]], int]:
    """Our Markdown of the pages as HTML, by all set-ups: joined, the faults, and how many."""
    sources: dict[str, str] = {}
    with click.progressbar(pages.items(), label=f"{label}: Markdown", file=sys.stderr) as bar:
        for number, (name, page) in enumerate(bar):
            for url in (ADDRESS, None) if number % 4 == 0 else (ADDRESS,):
                for source in outputs(page, True, url, markdown.render):
                    sources.setdefault(source, name)
    documents: dict[str, bytes] = {}
    faults: dict[str, list[str]] = {}
    with click.progressbar(sources.items(), label=f"{label}: renderers", file=sys.stderr) as bar:
        waiting: dict[str, list[str]] = {setup: [] for setup in renderers.SETUPS}
        for number, (source, name) in enumerate(bar, 1):
            for setup, render in renderers.SETUPS.items():
                output = render(source)
                if found := renderers.faults(output):
                    faults[f"{setup}: {name}"] = found
                waiting[setup].append(output)
                if sum(map(len, waiting[setup])) > JOINED or number == len(sources):
                    joined = "\n<hr>\n".join(waiting[setup])
                    documents[f"{setup}: up to {name}"] = joined.encode("utf-8", "replace")
                    waiting[setup] = []
    return documents, faults, len(sources) * len(renderers.SETUPS)


def originals(pages: dict[str, bytes], pictures: bool, label: str) -> dict[str, bytes]:
    """The pages as the page view of `tamis serve` shows them, here without its sandbox."""
    documents: dict[str, bytes] = {}
    with click.progressbar(pages.items(), label=label, file=sys.stderr) as bar:
        for name, page in bar:
            with suppress(TamisError):
                shown = original.render(tamis.parse(page), ADDRESS, pictures=pictures)
                documents[name] = shown.encode("utf-8", "replace")
    return documents


def of_markdown(browser: Session, pages: dict[str, bytes], label: str) -> dict[str, Any]:
    """What our Markdown of the pages does once it is rendered."""
    documents, faults, count = rendered_markdown(pages, label)
    seen = visits(browser, documents, UTF8, f"{label}: browser", OF_MARKDOWN, NO_IMAGES)
    figures = summary(seen, ("Image",))
    kinds = Counter(fault for found in faults.values() for fault in found)
    return figures | {
        "documents": count,
        "not allowed": figures["not allowed"] + len(faults),
        "kinds of fault": figures["kinds of fault"] + kinds,
        "failed": [*figures["failed"], *faults][:50],
    }


def summary(seen: dict[str, Seen], loads: tuple[str, ...] = ()) -> dict[str, Any]:
    """How many documents did what; they may load what is of these types."""

    def allowed(request: tuple[str, str]) -> bool:
        return request[0] in loads and request[1].startswith(("http:", "https:"))

    asked = {
        name: [r for r in visited.requests if not allowed(r)] for name, visited in seen.items()
    }
    return {
        "documents": len(seen),
        "scripts": sum(visited.scripts > 0 for visited in seen.values()),
        "requests": sum(map(bool, asked.values())),
        "images requested": sum(any(map(allowed, visited.requests)) for visited in seen.values()),
        "not allowed": sum(bool(visited.faults) for visited in seen.values()),
        "kinds of fault": Counter(fault for visited in seen.values() for fault in visited.faults),
        "failed": [
            name
            for name, visited in seen.items()
            if visited.scripts or asked[name] or visited.faults
        ][:50],
    }


def main() -> None:
    """Parse the command line and run."""
    parser = script.parser(__doc__, shared=False)
    parser.add_argument("--chromium", default=find_chromium() or "chromium")
    parser.add_argument("--mutated", type=int, default=MUTATED, help="number of mutated pages")
    parser.add_argument("--only", choices=("html", "markdown", "original"), help="one output")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--one", type=int, help="print what we make of this mutated page")
    arguments = parser.parse_args()
    seeds = seed_pages()
    if arguments.one is not None:
        page = mutated(arguments.seed, arguments.one, seeds)
        print(
            page.decode("utf-8", "replace"),
            *outputs(page, True),
            *outputs(page, True, render=markdown.render),
            sep="\n\n",
        )
        return
    written, generated = hostile.pages(), hostile_places.pages()
    changed = {
        f"mutated {number}": mutated(arguments.seed, number, seeds)
        for number in range(arguments.mutated)
    }
    with Browser(arguments.chromium) as chromium:
        browser = chromium.open(Session)
        browser.call("Debugger.enable")
        browser.call("Fetch.enable", patterns=[{"urlPattern": "*"}])
        version = browser.call("Browser.getVersion")["product"]
        runs = {
            "written pages themselves": {"pages": len(written)}
            | summary(visits(browser, written, "text/html", "the pages themselves"))
        }
        for kind, pages in (("written", written), ("generated", generated), ("mutated", changed)):
            for images in (False, True) if arguments.only in (None, "html") else ():
                label = f"{kind}, {'with' if images else 'without'} images"
                documents = rendered(pages, images, f"{label}: rendering")
                # What has no images is the same without them.
                documents = {n: d for n, d in documents.items() if not images or b"<img" in d}
                seen = visits(browser, documents, UTF8, f"{label}: browser")
                runs[label] = {"pages": len(pages)} | summary(seen, ("Image",) if images else ())
            for pictures in (False, True) if arguments.only in (None, "original") else ():
                label = f"{kind}, page view {'with' if pictures else 'without'} pictures"
                documents = originals(pages, pictures, f"{label}: rendering")
                seen = visits(browser, documents, UTF8, f"{label}: browser", OF_ORIGINAL)
                loads = ("Image", "Stylesheet", "Font") if pictures else ()
                runs[label] = {"pages": len(pages)} | summary(seen, loads)
            if arguments.only in (None, "markdown"):
                label = f"{kind}, Markdown"
                runs[label] = {"pages": len(pages)} | of_markdown(browser, pages, label)
    columns = ("pages", "documents", "scripts", "requests", "images requested", "not allowed")
    print(f"\n| {version} | {' | '.join(columns)} |\n|---|{'---:|' * len(columns)}")
    for label, figures in runs.items():
        print(f"| {label} | {' | '.join(f'{figures[column]:,}' for column in columns)} |")
    ours = [figures for label, figures in runs.items() if "themselves" not in label]
    failed = [name for figures in ours for name in figures["failed"]]
    for name in failed[:20]:
        print(f"failed: {name}")
    result = {
        "date": datetime.date.today().isoformat(),
        "browser": version,
        "seed": arguments.seed,
        "renderers": list(renderers.SETUPS),
    }
    if arguments.mutated == MUTATED:
        before = json.loads(OUT.read_text("utf-8"))["runs"] if arguments.only else {}
        script.write(OUT, result | {"runs": before | runs})
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
