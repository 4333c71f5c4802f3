"""Workers that die, take too long, or are asked by several clients."""

from __future__ import annotations

import asyncio
import os
import signal
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests import needs
from tests.serve.loading import pids, stopped, text_of
from tests.serve.loading import until as wait_until
from tests.serve.test_sharing import other_client

from tamis.options import Options
from tamis.serve.settings import ServeSettings
from tamis.serve.tasks import Question
from tamis.serve.workers import Turns, Workers, _Waiting


def test_a_worker_that_dies_costs_its_request_one_retry(serve: Any) -> None:
    with serve(workers=2) as server:
        before = set(pids(server))
        assert len(before) == 2
        for pid in before:
            os.kill(pid, signal.SIGKILL)
        with ThreadPoolExecutor(4) as clients:
            answers = list(clients.map(lambda _: text_of(server), range(8)))
        assert {answer.status_code for answer in answers} == {200}
        assert before.isdisjoint(pids(server))
        assert server.metric('tamis_workers_lost_total{reason="crash"}') == 2


def test_a_page_that_kills_two_workers_is_a_problem_and_no_other_page_is_lost(
    serve: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(workers=1) as server:
        (process,) = server.service.workers._processes
        ask = process.ask

        def killed(question: Any, seconds: float) -> Any:
            if b"deadly" in question.pages[0].html:
                ask(question._replace(pages=[]), seconds)  # it runs again
                os.kill(process.pid, signal.SIGKILL)
            return ask(question, seconds)

        monkeypatch.setattr(process, "ask", killed)
        with ThreadPoolExecutor(4) as clients:
            deadly = clients.submit(server.post, "/v1/extract", html="<p>deadly")
            others = list(clients.map(lambda _: text_of(server), range(6)))
        assert deadly.result().status_code == 500
        assert "the process that extracted the page ended by signal 9" in deadly.result().text
        assert {answer.status_code for answer in others} == {200}


@needs.posix
def test_a_page_that_takes_too_long_is_ended_from_outside(
    serve: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tamis.serve.workers._GRACE_SECONDS", 0.1)
    with serve() as server:
        os.kill(pids(server)[0], signal.SIGSTOP)  # it does not even see its own deadline
        response = text_of(server, options={"max_seconds": 0.1})
        assert response.status_code == 422
        assert "took longer than 0.2 s" in response.json()["detail"]
        assert text_of(server).status_code == 200


def test_a_page_that_takes_too_much_memory_is_ended(serve: Any) -> None:
    with serve(memory=150 << 20) as server:
        large = server.post("/v1/extract", html="<b>x<i>y" * 2_000_000, formats=["blocks"])
        assert large.status_code == 422, large.text[:1000]
        assert "memory" in large.json()["detail"] or "max_" in large.json()["detail"]
        assert text_of(server).status_code == 200


@needs.posix
def test_questions_are_answered_in_turns_of_their_clients(
    serve: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[bytes] = []
    with serve() as server, other_client(server) as greedy, ThreadPoolExecutor(9) as clients:
        (process,) = server.service.workers._processes
        answer = process.ask

        def noted(question: Question, seconds: float) -> Any:
            (page,) = question.pages
            order.append(page.html)  # type: ignore[union-attr]  # pages that were sent
            return answer(question, seconds)

        monkeypatch.setattr(process, "ask", noted)
        with stopped(pids(server)):
            asked = []
            for number, client in enumerate([greedy] * 5 + [server.client] * 2):
                body = {"html": f"<p>{number}"}
                asked.append(clients.submit(client.post, "/v1/extract", json=body))
                wait_until(lambda number=number: server.service.slots.taken == number + 1)
                wait_until(lambda number=number: server.service.workers.waiting == number)
        assert {each.result().status_code for each in asked} == {200}
    assert [html[-1:] for html in order] == [b"0", b"1", b"5", b"2", b"6", b"3", b"4"]


@needs.posix
def test_a_question_that_is_taken_back_waits_no_longer() -> None:
    async def run() -> None:
        workers = Workers(ServeSettings(workers=1), str)
        try:
            await workers.start()
            question = Question("extract", [], Options())
            (process,) = workers._processes
            with stopped([process.pid or 0]):
                tasks = [asyncio.create_task(workers.ask(question, "a")) for _ in range(3)]
                while workers.waiting != 2 or not workers.busy:
                    await asyncio.sleep(0.01)
                tasks[2].cancel()
                tasks[1].cancel()
                await asyncio.wait(tasks[1:])
                assert workers.waiting == 0
            await asyncio.wait(tasks[:1])
            assert workers.busy == 0
        finally:
            workers.close()

    asyncio.run(run())


def test_turns_forget_what_is_taken_back() -> None:
    turns, question = Turns(), Question("extract", [], Options())
    first, second, third = (_Waiting(question) for _ in range(3))
    turns.add("a", first)
    turns.add("a", second)
    turns.add("b", third)
    turns.remove("a", first)
    turns.remove("c", first)
    assert turns.count == 2
    assert [turns.take(), turns.take(), turns.take()] == [second, third, None]
