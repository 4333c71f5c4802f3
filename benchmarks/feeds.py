"""Stories with a feed, other stories or a consent text below them, in markup that was set aside.

    python benchmarks/feeds.py                  the shipped weights
    python benchmarks/feeds.py --weights FILE   others

Takes pages of sets that nothing is trained on, and adds what today's pages have below a story, with
text of other pages of the same set. The markup here is not that of `training/grafts.json`, which
the weights learn from. Prints the mean F1 of the pages as they are and with each addition, and the
mean precision, and writes benchmarks/results/feeds.json.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import numpy as np
import script

import tamis
from tamis._runtime import storage
from tamis.bench.measures import bag_of_words
from tamis.labels import datasets
from tamis.labels.datasets import Example
from tamis.page.table import Page

SETS = ("news2011", "chinese-news")
PAGES = 60  # of each set
SEED = 7

# A list with {all} its items, and an item.
FEEDS = {
    "portal": (
        '<div class="terkini"><h2 class="title-block">Terkini</h2>{all}</div>',
        '<div class="article__list clearfix"><div class="article__list__title"><h3 '
        'class="article__title'
        ' article__title--medium"><a class="article__link" href="/read/{id}">{name}</a></h3></div>'
        '<div class="article__subtitle">Nasional</div><div class="article__date">19/05/2024, '
        "10:{id:.2} WIB"
        '</div><div class="article__lead">{text}</div></div>',
    ),
    "timeline": (
        '<ul class="timeline" data-load="infinite">{all}</ul>',
        '<li class="timeline-entry"><time datetime="2024-05-19">{id:.2} min ago</time><h2><a '
        'href="/{id}">'
        '{name}</a></h2><p class="dek">{text}</p><a class="readon" href="/{id}">Continue</a></li>',
    ),
    "grid": (
        '<section aria-label="Recommended"><div class="grid-row">{all}</div></section>',
        '<div class="tile"><a href="/{id}"><figure><img src="/{id}.webp" alt=""></figure><span '
        'class="kicker">'
        'Sport</span><span class="hed">{name}</span></a><span class="blurb">{text}</span></div>',
    ),
    "table": (
        '<table width="100%"><tr><td><font size="4"><b>News</b></font></td></tr>{all}</table>',
        '<tr><td><a href="show.asp?id={id}"><b>{name}</b></a></td></tr><tr><td><font '
        'size="2">{text}</font>'
        "</td></tr><tr><td><hr></td></tr>",
    ),
    "plain": (
        "<div>{all}</div>",
        "<div><div><a href='/{id}'>{name}</a></div><div>{text}</div></div>",
    ),
    "links": (
        '<div class="rel"><p>Baca juga</p><ol>{all}</ol></div>',
        '<li><a href="/{id}" title="{name}">{name}</a> <small>12/05/2024</small></li>',
    ),
}
STORIES = {
    "next story": (
        "{all}",
        '<div class="infinite-article" data-canonical="/{id}"><header><h1 '
        'class="headline">{name}</h1><div'
        ' class="author">Staff writer</div></header><div class="body-copy">{all_text}</div></div>',
    ),
    "modal story": (
        "<div class='more-reading'>{all}</div>",
        "<article><h2>{name}</h2><section>{all_text}</section></article>",
    ),
}
CONSENT = (
    "We value your privacy. This website and selected third parties use cookies or similar "
    "technologies for"
    " technical purposes and, with your consent, for experience, measurement and marketing.",
    "You can freely give, deny or withdraw your consent at any time by accessing the preferences "
    "panel. Denying"
    " consent may make related features unavailable.",
    "Use the accept button to consent. Use the reject button to continue without accepting. "
    "Legitimate interest"
    " partners may process device identifiers, browsing data and approximate location.",
    "Vendor list: each vendor states its purposes, special features, retention periods and "
    "categories of data,"
    " and whether it relies on consent or on legitimate interest for each of the purposes below.",
)


KINDS = ("as it is", *FEEDS, *STORIES, "consent")


def write_addition(kind: str, others: list[tuple[str, list[str]]], random: Random) -> str:
    """What is added below a story, with text of others."""
    if kind == "as it is":
        return ""
    if kind == "consent":
        paragraphs = "".join(f"<p>{text}</p>" for text in random.choices(CONSENT, k=10))
        return f"<div class='privacy-layer'>{paragraphs}</div>"
    whole, item = (FEEDS | STORIES)[kind]
    items = (
        item.format(
            id=str(random.randrange(1000, 9999)),
            name=title,
            text=shorten(texts[0]),
            all_text="".join(f"<p>{text}</p>" for text in texts),
        )
        for title, texts in (others[:2] if kind in STORIES else others)
    )
    return whole.format(all="".join(items))


def shorten(text: str) -> str:
    """The begin of a text as a teaser has it."""
    return " ".join(text.split(" ")[:22])[:160] + "..."


def read_story(example: Example) -> tuple[str, list[str]]:
    """The headline and some paragraphs of a page, from its gold."""
    lines = [line.strip() for line in (example.text or "").splitlines() if len(line.strip()) > 20]
    return (lines[0][:90], lines[:8]) if lines else ("", [])


def add_below(page: Page, gold: str, addition: str) -> bytes:
    """The source of a page with something below the element that holds its story."""
    words = set(gold.split()) or {gold}
    shares = [
        len(words.intersection(text.split())) if len(words) > 5 else len(text) * (text[:10] in gold)
        for text in page.block_texts(np.arange(len(page.blocks)))
    ]
    node = int(page.blocks.node[int(np.argmax(shares))])
    for _ in range(2):
        parent = int(page.nodes.parent[node])
        if page.tag_name(parent) not in ("body", "html"):
            node = parent
    place = int(page.nodes.close[node])
    place = page.source.find(b">", place) + 1 or place
    return page.source[:place] + addition.encode() + page.source[place:]


def main() -> None:
    """Measure, print a table and write it."""
    parser = script.parser(__doc__)
    parser.add_argument("--weights", default="", help="weights of the default method")
    chosen = parser.parse_args()
    options = tamis.Options(parameters={"weights": chosen.weights} if chosen.weights else {})
    figures: dict[str, dict[str, dict[str, float]]] = {}
    for name in SETS:
        examples = [
            example
            for example in datasets.read(chosen.shared / "datasets" / f"{name}.jsonl.xz")
            if len(example.text or "") > 400
        ]
        stories = [story for story in map(read_story, examples) if len(story[1]) > 2]
        sample = Random(SEED).sample(examples, min(PAGES, len(examples)))
        rows = figures[name] = {}
        for kind in KINDS:
            scores = []
            random = Random(SEED)
            for example in sample:
                gold = example.text or ""
                others = [story for story in random.sample(stories, 9) if story[1][0] not in gold]
                page = tamis.parse(example.html)
                source = add_below(page, gold, write_addition(kind, others, random))
                text = tamis.extract(source, options=options).text
                scores.append(bag_of_words(text, gold))
            rows[kind] = {
                "F1": round(float(np.mean([score.f1 for score in scores])), 4),
                "precision": round(float(np.mean([score.precision for score in scores])), 4),
                "recall": round(float(np.mean([score.recall for score in scores])), 4),
            }
            print(name, kind, *(f"{value:.3f}" for value in rows[kind].values()), flush=True)
    if not chosen.weights:
        path = Path(script.RESULTS) / "feeds.json"
        storage.write(path, json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
