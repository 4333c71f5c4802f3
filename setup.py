"""Compiles the hot path where there is a compiler; without one it works, only slower."""

import os
import sys
from pathlib import Path

from setuptools import Extension, setup

# A module with C types beside it is compiled.
COMPILED = sorted(path.with_suffix(".py") for path in Path("src").rglob("*.pxd"))


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
            ".".join(path.with_suffix("").parts[1:]),
            [str(path)],
            extra_compile_args=flags,
            include_dirs=[str(path.parent)],
        )
        for path in COMPILED
    ]
    # Bounds checks stay on: a wrong index is an exception, not a read of foreign memory. A module
    # whose first line says otherwise only loops over the columns of a page, its numbers of rows and
    # its offsets, which are right by the way the scanner makes them (tests/page/invariants.py).
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
