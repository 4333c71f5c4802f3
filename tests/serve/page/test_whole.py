"""The whole way: open, paste, repaint, label, the server is killed, teach, accept, extract."""

from __future__ import annotations

from pathlib import Path

from tests.serve.page.labelling import (
    PAGES,
    OwnProcess,
    add_pages,
    begin,
    block,
    label_by_api,
    saved,
    see_kind,
)
from tests.serve.page.opening import Opened, paste_page
from tests.train.harbour import timetable

UNSAVED = "document.querySelector('[data-test=label-saved]').dataset.state === 'later'"


def test_from_a_pasted_page_to_weights_of_ones_own(opened: Opened, tmp_path: Path) -> None:
    unseen = timetable(PAGES)
    log = str(unseen.text).splitlines()
    with OwnProcess(tmp_path / "mine") as service:
        window = opened(service.address)
        paste_page(window, str(unseen.html))
        window.see("@frame >>> h1", f"Harbour day {PAGES}")
        painted = window.attribute("@frame >>> .log [data-tamis]", "class")
        window.click("@slider-threshold")
        window.press("Home")
        window.wait(
            "document.querySelector('[data-test=frame]').contentDocument"
            f".querySelector('.log [data-tamis]').className !== {painted!r}"
        )

        pages = add_pages(service.client)
        window.click("@tab-label")
        window.open(f"{service.address}/#/label/{pages[0]}")
        begin(window, "Ann")
        window.click("@label-brush-main")
        ten = list(range(14, 24))
        for number in ten[:-1]:
            window.click(f"@frame >>> {block(number)}")
        saved(window)
        service.kill()
        window.click(f"@frame >>> {block(ten[-1])}")
        window.wait(UNSAVED)
        service.start()
        saved(window)
        window.reload()
        for number in ten:
            see_kind(window, f"{block(number)}.tamis-given", "main")
        stored = service.client.get(f"/v1/project/pages/{pages[0]}").json()["labels"]
        assert stored == {str(number): "main" for number in ten}

        for page in pages:
            label_by_api(service.client, page)
        window.click("@tab-teach")
        window.click("@teach-start")
        window.see("@teach-report", "points", seconds=300)
        window.click("@teach-accept")
        window.see("@teach-accept", "In use")
        answer = service.client.post("/v1/extract", json={"html": unseen.html, "formats": ["text"]})
        text = answer.json()["text"]
        assert [line for line in log if line in text] == log
        assert "<article>" in str(unseen.html) and len(text.split()) < 150
