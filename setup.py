"""Compiles the hot path where there is a compiler; without one it works, only slower."""

import os
import sys
from pathlib import Path

from setuptools import Extension, setup

COMPILED = (
    "src/tamis/describe/census.py",
    "src/tamis/features/sequence.py",
    "src/tamis/features/walk.py",
    "src/tamis/features/words.py",
    "src/tamis/page/lex.py",
    "src/tamis/page/runs.py",
    "src/tamis/page/scan.py",
    "src/tamis/render/addresses.py",
    "src/tamis/render/inline.py",
    "src/tamis/render/markdown.py",
    "src/tamis/render/outline.py",
    "src/tamis/render/pictures.py",
    "src/tamis/render/runs.py",
    "src/tamis/render/walk.py",
    "src/tamis/weights/forest.py",
)


def extensions() -> list[Extension]:
    """The modules to compile; none where Cython is missing."""
    try:
        from Cython.Build import cythonize
    except ImportError:
        print("tamis: Cython is missing, installing slow uncompiled modules", file=sys.stderr)
        return []
    # Without debug symbols, which would be nine tenths of the wheel.
    flags = ["-g0"] if os.name == "posix" else []
    modules = [
        Extension(
            ".".join(Path(path).with_suffix("").parts[1:]),
            [path],
            extra_compile_args=flags,
            include_dirs=[str(Path(path).parent)],
        )
        for path in COMPILED
    ]
    # Bounds checks stay on: a wrong index is an exception, not a read of foreign memory.
    directives = {
        "language_level": 3,
        "boundscheck": True,
        "wraparound": False,
        "initializedcheck": False,
        "cdivision": True,
    }
    compiled = cythonize(modules, compiler_directives=directives, build_dir="build/cython")
    for module in compiled:
        module.optional = True  # a failing compiler must not fail the installation
    return compiled


setup(ext_modules=extensions(), options={"build_ext": {"parallel": os.cpu_count()}})
