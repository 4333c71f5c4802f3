"""A corpus run on a Ray cluster: nodes that are processes of this machine, and die."""

from __future__ import annotations

import importlib.util
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tamis.cli import main
from tamis.corpus.engines.local import do_tasks_here
from tamis.corpus.engines.ray import check_cluster, do_tasks_on_cluster
from tamis.corpus.files import Folder
from tamis.corpus.manifest import Run, Task
from tamis.corpus.planning import begin_run
from tamis.corpus.records import Settings
from tamis.corpus.run import execute
from tamis.errors import InputError

SHARDS, PAGES = 24, 10
HANGS = 600.0
"""Seconds after which something is taken to hang: a busy machine is slower than one expects."""
TITLE = b"ray::_do"

needs_ray = pytest.mark.skipif(
    sys.platform != "linux" or importlib.util.find_spec("ray") is None,
    reason="needs Ray on Linux: pip install 'tamis[ray]'",
)


@pytest.fixture(scope="module")
def pages(sources: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of JSONL files, each of which becomes a shard."""
    folder = tmp_path_factory.mktemp("pages")
    each = [page.decode("utf-8", "replace") for page in sources.values()]
    for shard in range(SHARDS):
        lines = [
            json.dumps(
                {
                    "id": f"{shard}-{number}",
                    "url": f"https://site{number % 5}.example/{shard}/{number}",
                    "html": each[(shard + number) % len(each)].replace(
                        "</p>", f" {shard}.{number}</p>", 1
                    ),
                }
            )
            for number in range(PAGES)
        ]
        (folder / f"{shard:02}.jsonl").write_text("\n".join(lines))
    return folder


def begun(inputs: Iterable[Path], output: Path | str, **choices: Any) -> Run:
    return begin_run([*map(str, inputs)], Folder(str(output)), Settings(format="jsonl", **choices))


def files_of(output: Path) -> dict[str, bytes]:
    """What a run leaves that must be the same every time."""
    return {
        str(path.relative_to(output)): path.read_bytes()
        for path in output.rglob("*")
        if path.is_file() and path.name not in (".lock", ".lock-plan", "summary.json")
    }


@pytest.fixture(scope="module")
def expected(pages: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What the run leaves on this machine alone."""
    output = tmp_path_factory.mktemp("local")
    assert execute(begun([pages], output), partial(do_tasks_here, workers=2)).complete
    return files_of(output)


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    """A cluster with a head that does no work and two nodes of one processor each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        # One of this test alone: otherwise Ray leaves one in the home folder.
        patch.setenv("RAY_AUTH_MODE", "token")
        patch.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))
        from ray.cluster_utils import Cluster

        soon = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 300}
        nodes = Cluster(True, head_node_args={"num_cpus": 0, "_system_config": soon})
        for _ in range(2):
            nodes.add_node(num_cpus=1)
        yield nodes
        nodes.shutdown()


def raylet_of(node: Any) -> int:
    pid: int = node.all_processes["raylet"][0].process.pid
    return pid


def parents() -> dict[int, int]:
    """All processes of this machine, each with the one that started it."""
    processes = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            after_name = (folder / "stat").read_text().rpartition(")")[2]
            processes[int(folder.name)] = int(after_name.split()[1])
    return processes


def working(nodes: Any) -> set[int]:
    """The processes of the cluster that do a task now."""
    raylets = {raylet_of(node) for node in nodes.worker_nodes}
    return {pid for pid, parent in parents().items() if parent in raylets and _title(pid) == TITLE}


def _title(pid: int) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().rstrip(b"\0 ")
    return b""


def disturbed(run: Run, nodes: Any, disturb: Callable[[set[int]], bool]) -> None:
    """Do the run; after its first task, `disturb` hears who works until it has done its deed."""

    def when_it_runs() -> None:
        wait_until(lambda: bool(run.folder.list_files("marks")))
        wait_until(lambda: run.folder.has_file("summary.json") or disturb(working(nodes)))
        assert not run.folder.has_file("summary.json"), "it was done before it could be disturbed"

    with ThreadPoolExecutor(1) as thread:
        deed = thread.submit(when_it_runs)
        summary = execute(run, partial(do_tasks_on_cluster, address=nodes.address))
        deed.result()
    assert summary.complete, summary.failed


def wait_until(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + HANGS
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)


@needs_ray
def test_a_node_that_dies_in_the_middle_changes_nothing(
    pages: Path, expected: dict[str, bytes], nodes: Any, tmp_path: Path
) -> None:
    dying = nodes.add_node(num_cpus=1)

    def kill(workers: set[int]) -> bool:
        if not any(parents().get(worker) == raylet_of(dying) for worker in workers):
            return False
        nodes.remove_node(dying, allow_graceful=False)
        return True

    disturbed(begun([pages], tmp_path), nodes, kill)
    assert files_of(tmp_path) == expected


@needs_ray
def test_worker_processes_that_are_killed_change_nothing_and_leave_no_children(
    pages: Path, expected: dict[str, bytes], nodes: Any, tmp_path: Path
) -> None:
    children: set[int] = set()

    def kill(workers: set[int]) -> bool:
        children.update(child for child, parent in parents().items() if parent in workers)
        for worker in workers if children else ():
            os.kill(worker, signal.SIGKILL)
        return bool(children)

    disturbed(begun([pages], tmp_path), nodes, kill)
    assert files_of(tmp_path) == expected
    wait_until(lambda: children.isdisjoint(parents()))


@needs_ray
def test_inputs_that_are_added_give_the_files_of_this_machine_alone(
    pages: Path, nodes: Any, tmp_path: Path
) -> None:
    few = sorted(pages.iterdir())[:3]
    here, there = tmp_path / "here", tmp_path / "there"
    execute(begun(few[:2], here), partial(do_tasks_here, workers=2))
    shutil.copytree(here, there)
    execute(begun(few, here), partial(do_tasks_here, workers=2))
    report = execute(begun(few, there), partial(do_tasks_on_cluster, address=nodes.address))
    assert (report.complete, report.new_inputs, report.new.records) == (True, 1, PAGES)
    assert files_of(there) == files_of(here)


@needs_ray
def test_all_steps_to_an_address_of_fsspec_leave_the_files_of_this_machine_alone(
    pages: Path, nodes: Any, tmp_path: Path
) -> None:
    pytest.importorskip("fsspec")
    few = sorted(pages.iterdir())[:3]
    choices: dict[str, Any] = {"site_models": True, "duplicates": "near", "rejects": True}
    here, there = tmp_path / "here", tmp_path / "there"
    execute(begun(few, here, **choices), partial(do_tasks_here, workers=2))
    run = begun(few, f"file://{there}", **choices)
    assert execute(run, partial(do_tasks_on_cluster, address=nodes.address)).complete
    assert files_of(there) == files_of(here)


TERMINATED = """
import os
import signal
from tamis.cli import main
from tamis.cli.commands.corpus import Live


def terminate(live, progress):
    if progress.done:
        os.kill(os.getpid(), signal.SIGTERM)


Live.show = terminate
main()
"""


@needs_ray
def test_a_command_that_is_terminated_leaves_no_work_on_the_cluster_and_the_next_goes_on(
    pages: Path, expected: dict[str, bytes], nodes: Any, tmp_path: Path
) -> None:
    arguments = [
        *("corpus", pages, "--output", tmp_path / "out"),
        *("--format", "jsonl", "--quiet"),
    ]
    command = [sys.executable, "-m", "tamis", *map(str, arguments)]
    there = ["--engine", "ray", "--address", nodes.address]
    ended = subprocess.run(
        [sys.executable, "-c", TERMINATED, *command[3:], *there],
        capture_output=True,
        text=True,
        check=False,
        timeout=HANGS,
    )
    assert ended.returncode == 128 + signal.SIGTERM, ended.stderr
    assert ended.stderr == (
        "tamis: what is done is kept; run the same command again to go on\ntamis: terminated\n"
    )
    wait_until(lambda: not working(nodes))
    assert not (tmp_path / "out/summary.json").exists()
    subprocess.run(command, check=True, capture_output=True)
    assert files_of(tmp_path / "out") == expected


@needs_ray
def test_an_address_where_nobody_listens_is_one_line_and_nothing_is_written(
    pages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tamis.corpus.engines.ray._JOIN_SECONDS", 5.0)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        arguments = [*("corpus", str(pages), "--output", str(tmp_path / "out"))]
        result = CliRunner().invoke(main, [*arguments, "--engine", "ray", "--address", address])
    assert result.exit_code == 2
    assert result.output.startswith(f"tamis: --address {address}: no Ray cluster")
    assert result.output.count("\n") == 1
    assert capfd.readouterr() == ("", "")
    assert not (tmp_path / "out").exists()


@needs_ray
def test_a_folder_that_the_machines_do_not_see_is_said(nodes: Any, tmp_path: Path) -> None:
    elsewhere = Run(Folder(str(tmp_path)), Settings(), ())
    (update,) = do_tasks_on_cluster(elsewhere, [Task("extract", 0)], nodes.address)
    assert "every machine of the cluster must see it" in str(update.error)


@needs_ray
def test_without_an_address_a_cluster_runs_here_until_the_tasks_are_done(
    pages: Path, expected: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    monkeypatch.chdir(tmp_path)
    assert execute(begun([pages], Path("out")), do_tasks_on_cluster).complete
    assert files_of(tmp_path / "out") == expected


def test_without_ray_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tamis._runtime.libraries.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"pip install 'tamis\[ray\]'"):
        check_cluster()


def test_no_tasks_need_no_cluster() -> None:
    assert list(do_tasks_on_cluster(Run(Folder("out"), Settings(), ()), [])) == []
