"""Files of a git repository at one commit, without touching a clone that is somebody's own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import IO

from tamis.errors import DatasetError, FetchError, OutputError

# What git says when the other side cannot be reached, and when the disk is full.
_NO_NETWORK = re.compile(
    r"could not resolve|unable to access|connection|timed out|network|early eof|hung up", re.I
)
_NOT_THERE = re.compile(r"not found|not appear to be|authentication|could not read username", re.I)
_NO_COMMIT = re.compile(r"not our ref|couldn't find remote ref", re.I)
_DISK_FULL = re.compile(r"no space left|disk quota", re.I)
_COMMIT = re.compile(r"[0-9a-f]{40}")
_TAKEN = "refs/heads/taken"


def is_repository(folder: Path) -> bool:
    """Whether a folder is a clone, with or without files."""
    return (folder / ".git").exists() or all(
        (folder / name).exists() for name in ("HEAD", "objects", "refs")
    )


def fetch_commit(address: str, commit: str | None, folder: Path) -> str:
    """Have a commit of a repository in `folder`, a clone of ours; the newest if none is named.

    What is there already is not fetched again; a fetch that was interrupted is begun anew.
    """
    if not is_repository(folder):
        folder.mkdir(parents=True, exist_ok=True)
        _git(folder, "init", "--quiet", "--bare")
    if commit and _COMMIT.fullmatch(commit) and _has(folder, commit):
        return commit
    shown = "--progress" if sys.stderr.isatty() else "--quiet"
    what = f"+{commit or 'HEAD'}:{_TAKEN}"
    _git(folder, "fetch", shown, "--depth=1", "--no-tags", "--", address, what, about=address)
    return resolve_commit(folder, _TAKEN, about=address)


def resolve_commit(folder: Path, revision: str, *, about: str) -> str:
    """The commit that a name stands for in a clone."""
    finished = _run(folder, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    if finished.returncode:
        raise DatasetError(
            f"{about}: it has no commit {revision}; run `git fetch` there, or choose another with"
            " --commit, such as HEAD"
        )
    return finished.stdout.strip()


def write_files(clone: Path, commit: str, path: str, folder: Path) -> None:
    """Write a folder of a commit below an empty one; index, files and hooks of the clone stay."""
    folder = folder.resolve()  # git works in there, and reads paths from there
    folder.mkdir(parents=True, exist_ok=True)
    index = folder.with_name(f"{folder.name}.index")
    words = [f"--work-tree={folder}", "checkout", "--quiet", commit, "--", path or "."]
    about = f"{clone} at {commit[:12]}"
    try:
        _git(clone, *words, about=about, environment={"GIT_INDEX_FILE": str(index)})
    finally:
        index.unlink(missing_ok=True)


def _has(folder: Path, commit: str) -> bool:
    return _run(folder, "cat-file", "-e", f"{commit}^{{tree}}").returncode == 0


def _git(
    folder: Path, *arguments: str, about: str = "", environment: dict[str, str] | None = None
) -> None:
    finished = _run(folder, *arguments, environment=environment)
    if finished.returncode:
        raise _error(about or str(folder), finished.stderr)


def _run(
    folder: Path, *arguments: str, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    program = shutil.which("git")
    if program is None:
        raise DatasetError(
            "there is no git on this machine; install it, or give a folder with the files of the"
            " repository: --from FOLDER"
        )
    # Links of a repository could lead anywhere, and its ends of lines are as they are.
    settings = ("core.symlinks=false", f"core.hooksPath={os.devnull}", "core.autocrlf=false")
    command = [program, *(word for setting in settings for word in ("-c", setting))]
    git_dir = folder / ".git" if (folder / ".git").exists() else folder
    if git_dir.is_file():  # a worktree of a clone
        git_dir = folder / git_dir.read_text("utf-8").removeprefix("gitdir:").strip()
    calm = {"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    with subprocess.Popen(
        [*command, f"--git-dir={git_dir}", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | calm | (environment or {}),
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        said = _show_progress(process.stderr, shown="--progress" in arguments)
        output = process.stdout.read().decode("utf-8", "replace")
    return subprocess.CompletedProcess(command, process.returncode, output, said)


def _show_progress(stream: IO[bytes], *, shown: bool) -> str:
    """What git says, which people see while it says so, if it is progress."""
    said = []
    while part := os.read(stream.fileno(), 4096):
        said.append(part)
        if shown:
            sys.stderr.write(part.decode("utf-8", "replace"))
            sys.stderr.flush()
    return b"".join(said).decode("utf-8", "replace")


def _error(about: str, message: str) -> Exception:
    lines = [line for line in message.splitlines() if line.strip()]
    named = next((line for line in lines if line.startswith(("fatal: ", "error: "))), "")
    reason = named.partition(": ")[2] or " ".join(lines[-1:]) or "git says nothing"
    if _DISK_FULL.search(message):
        return OutputError(
            f"{about}: no space left; free some, or choose another --output, and run the same"
            " command again"
        )
    if _NO_COMMIT.search(message):
        return DatasetError(
            f"{about}: it has no such commit ({reason}); choose another with --commit, such as HEAD"
        )
    if "pathspec" in message:
        return DatasetError(
            f"{about}: {reason}; the repository has changed, choose a commit with --commit"
        )
    if _NOT_THERE.search(message):
        return FetchError(
            f"{about}: there is no such repository ({reason}); give its new address, or a clone,"
            " with --from"
        )
    if _NO_NETWORK.search(message):
        return FetchError(
            f"{about}: cannot be reached ({reason}); run the same command again later, or give a"
            " clone with --from"
        )
    return FetchError(f"{about}: {reason}; give another address, or a clone, with --from")
