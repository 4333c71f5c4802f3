"""Posts of threads and comments beside the gold: how many are there, whose, of what day?

    python benchmarks/posts.py --shared ../shared

forum52: a gold post is there if a post has a text with an F1 of at least 0.75 in bags of words, one
to one and in order; `authors` and `dates` are shares of these. The gold has authors as names or as
the addresses of their profiles: an address is right if a link of the page leads there with that
name. Dates are compared by their days; `dated` is the share of right days among the gold dates that
have a year. Where the gold has none, a date counts as right in `dates` if month and day are, or
month and year. `--worst` lists the pages with the fewest. Articles: the pages of sets without gold
comments that have posts all the same; many have real comments that the gold leaves out. dragnet:
the words of the gold comments beside those of the posts. Threads: gold words of forum pages that
are filed as comments. Evaluation only; the rules were written while looking at forum52 and at pages
of wcxb-dev, news2023, scrapinghub, l3s-gn1 and dragnet. Writes benchmarks/results/posts.json.
"""

from __future__ import annotations

import datetime
import json
import lzma
import re
from collections import Counter
from pathlib import Path
from typing import Any

import click
import numpy as np
import script

import tamis
from tamis.bench.measures import bag_of_words, score_counts
from tamis.describe.metadata import dates
from tamis.describe.metadata.record import is_month_first
from tamis.labels import datasets
from tamis.labels.alignment import tokenize
from tamis.page import tags

OUT = script.RESULTS / "posts.json"
SAME = 0.75
"""F1 of the texts of two posts that are the same."""
ARTICLES = ("news2023", "scrapinghub", "l3s-gn1")
FIFTH = 0.2
COUNTS = ("gold", "posts", "matched", "authors", "dates", "years", "dated", "f1")

Post = dict[str, str]
Counts = dict[str, float]


def matches(gold: list[Post], posts: list[tamis.Post]) -> list[tuple[int, int, float]]:
    """The pairs of gold posts and posts with the best sum of F1, in order."""
    scores = [[bag_of_words(post.text, own["text"]).f1 for post in posts] for own in gold]
    best = np.zeros((len(gold) + 1, len(posts) + 1))
    for i in reversed(range(len(gold))):
        for j in reversed(range(len(posts))):
            pair = best[i + 1, j + 1] + scores[i][j] if scores[i][j] >= SAME else 0.0
            best[i, j] = max(best[i + 1, j], best[i, j + 1], pair)
    pairs, i, j = [], 0, 0
    while i < len(gold) and j < len(posts):
        score = scores[i][j]
        if score >= SAME and best[i, j] == best[i + 1, j + 1] + score:
            pairs.append((i, j, score))
            i, j = i + 1, j + 1
        elif best[i, j] == best[i + 1, j]:
            i += 1
        else:
            j += 1
    return pairs


def names_by_address(page: tamis.Page) -> dict[str, set[str]]:
    """The texts of the links to each address."""
    names: dict[str, set[str]] = {}
    for node in np.flatnonzero(page.nodes.flags & tags.IS_LINK).tolist():
        text = " ".join(page.node_text(node).split()).lower()
        names.setdefault(page.attribute(node, "href") or "", set()).add(text)
    return names


def is_author(gold: str, name: str | None, links: dict[str, set[str]]) -> bool:
    """Whether the name is that of the gold, or its link leads to the profile of the gold."""
    own = (name or "").strip().lower()
    return bool(own) and (own == gold.strip().lstrip("+").lower() or own in links.get(gold, ()))


def day(gold: str, date: str | None, language: str) -> tuple[bool, bool, bool]:
    """Whether a date is right, whether the gold has a year, and whether both."""
    order = is_month_first("en-US" if language == "en" else language)
    known = dates.read_iso(gold, month_first=order)
    if known and len(known) >= 10:
        right = (date or "")[:10] == known[:10]
        return right, True, right
    if date is None:
        return False, False, False
    words = (word.lower() for word in re.findall(r"[^\W\d_]{3,}", gold))
    months = [dates.MONTHS[word] for word in words if word in dates.MONTHS]
    year = re.search(r"\b(?:19|20)\d\d\b", gold)
    days = [] if year else [int(number) for number in re.findall(r"\b\d{1,2}(?!\d|:)", gold)]
    right = bool(months) and int(date[5:7]) == months[0]
    right &= year[0] == date[:4] if year else int(date[8:10]) in days
    return right, False, False


def measured(row: dict[str, Any]) -> Counts:
    """The counts of a page of forum52."""
    result = tamis.extract(row["html"], url=row["url"])
    posts = [post for post in result.posts if post.text.strip()]
    # The gold of some pages has the tags of its text.
    gold = [
        {**post, "text": re.sub(r"<[^>]+>", " ", post["text"])}
        for post in row["posts"]
        if post.get("text", "").strip()
    ]
    links = names_by_address(result.page)
    counts: Counts = dict.fromkeys(COUNTS, 0.0) | {"gold": len(gold), "posts": len(posts)}
    for i, j, score in matches(gold, posts):
        right, has_year, both = day(gold[i]["date"], posts[j].date, row["lang"])
        author = is_author(gold[i]["user"], posts[j].author, links)
        for name, value in zip(COUNTS[2:], (1, author, right, has_year, both, score), strict=True):
            counts[name] += value
    return counts


def shares(counts: Counts) -> dict[str, float]:
    """What the counts are shares of."""
    matched = max(counts["matched"], 1)
    return {
        "posts": counts["gold"],
        "there": round(counts["matched"] / max(counts["gold"], 1), 3),
        "precision": round(counts["matched"] / max(counts["posts"], 1), 3),
        "authors": round(counts["authors"] / matched, 3),
        "dates": round(counts["dates"] / matched, 3),
        "dated": round(counts["dated"] / max(counts["years"], 1), 3),
        "f1": round(counts["f1"] / matched, 3),
    }


def forums(shared: Path, worst: int) -> dict[str, Any]:
    """The shares by language and over all, and the pages with the fewest posts."""
    with lzma.open(shared / "datasets" / "forum52.jsonl.xz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    sums: dict[str, Counts] = {}
    pages = []
    with click.progressbar(rows, label="forum52") as bar:
        for row in bar:
            counts = measured(row)
            pages.append((counts["matched"] / max(counts["gold"], 1), row["id"], counts))
            for group in (row["lang"], "all"):
                own = sums.setdefault(group, dict.fromkeys(COUNTS, 0.0))
                sums[group] = {name: own[name] + counts[name] for name in COUNTS}
    for _, name, counts in sorted(pages, key=lambda page: page[0])[:worst]:
        print(f"  {name}: {shares(counts)}")
    groups = sorted(sums, key=lambda name: (name == "all", name))
    return {group: shares(sums[group]) for group in groups}


def examples(shared: Path, name: str, pages: int | None) -> list[datasets.Example]:
    """Some pages of a data set."""
    return datasets.sample(datasets.read(shared / "datasets" / f"{name}.jsonl.xz"), pages)


def articles(shared: Path, name: str, pages: int | None) -> dict[str, int]:
    """Pages without gold comments that have posts."""
    these = [each for each in examples(shared, name, pages) if not each.comments]
    with click.progressbar(these, label=name) as bar:
        claimed = sum(bool(tamis.extract(each.html, url=each.url).posts) for each in bar)
    return {"pages": len(these), "with posts": claimed}


def dragnet(shared: Path, pages: int | None) -> dict[str, float]:
    """Words of the posts beside those of the gold comments, on the pages that have these."""
    common = own = gold = 0
    these = [each for each in examples(shared, "dragnet", pages) if each.comments]
    with click.progressbar(these, label="dragnet") as bar:
        for each in bar:
            posts = tamis.extract(each.html, url=each.url).posts
            words = Counter(tokenize("\n".join(post.text for post in posts)))
            comments = Counter(tokenize(each.comments or ""))
            common += (words & comments).total()
            own, gold = own + words.total(), gold + comments.total()
    score = score_counts(common, own, gold)
    return {"pages": len(these), **{name: round(v, 3) for name, v in score._asdict().items()}}


def threads(shared: Path, name: str, pages: int | None) -> dict[str, float]:
    """Share of the gold of forum pages that is filed as comments, and pages with a fifth of it."""
    filed = total = many = 0
    these = [each for each in examples(shared, name, pages) if each.page_type == "forum"]
    with click.progressbar(these, label=name) as bar:
        for each in bar:
            result = tamis.extract(each.html, url=each.url)
            blocks = np.flatnonzero(result.regions == "comments")
            words = Counter(tokenize("\n".join(result.page.block_texts(blocks))))
            gold = Counter(tokenize(each.text or ""))
            common = (words & gold).total()
            many += common > FIFTH * gold.total()
            filed, total = filed + common, total + gold.total()
    return {"pages": len(these), "share": round(filed / total, 4), "pages with a fifth": many}


def main() -> None:
    """Parse the command line and run."""
    parser = script.parser(__doc__)
    parser.add_argument("--pages", type=int, help="pages of each set but forum52; all by default")
    parser.add_argument("--worst", type=int, default=0, help="pages of forum52 to list")
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    shared, pages = arguments.shared, arguments.pages
    report: dict[str, Any] = {
        "date": datetime.date.today().isoformat(),
        "forum52": forums(shared, arguments.worst),
        "articles": {name: articles(shared, name, pages) for name in ARTICLES},
        "dragnet": dragnet(shared, pages),
        "threads": {name: threads(shared, name, pages) for name in ("forum52", "wcxb-dev")},
    }
    head = list(report["forum52"]["all"])
    print(f"\n| forum52 | {' | '.join(head)} |")
    print("|---" * (len(head) + 1) + "|")
    for group, values in report["forum52"].items():
        print(f"| {group} | {' | '.join(f'{values[name]:g}' for name in head)} |")
    for part in ("articles", "dragnet", "threads"):
        print(f"\n{part}")
        for name, value in report[part].items():
            print(f"  {name}: {value}")
    script.write(arguments.out, report)


if __name__ == "__main__":
    main()
