"""Compiles the hot path where there is a compiler; without one it works, only slower.

`TAMIS_BUILD` says what is wanted: "compiled", so that the build fails if a module does not compile,
or "pure", for a wheel without compiled modules. If it is not set, a wheel that an installer makes
for itself may lack them, and one that is kept may not (docs/explanation/decisions/022-wheels.md).
"""

import os
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError, OptionError
from setuptools.modified import newer_group

# A module with C types beside it is compiled.
COMPILED = sorted(path.with_suffix(".py") for path in Path("src").rglob("*.pxd"))
C_FILES = Path("build/cython")
WANTED = os.environ.get("TAMIS_BUILD", "")
if WANTED not in ("", "compiled", "pure"):
    raise OptionError(f"TAMIS_BUILD is {WANTED!r}, and has to be compiled or pure, or not set")
# Code that all modules share is compiled once, as a module without a source.
SHARED = "tamis._cython_utility"
# The inner loops of `extract`. The other modules mostly call Python: -O1 halves the time they take
# to compile and makes an extraction 2% slower. With -O1 for these too it would be 12%.
HOT = {
    "tamis.model.features.surrounding_features",
    "tamis.model.features.block_features",
    "tamis.model.features.element_hashes",
    "tamis.model.features.page_features",
    "tamis.model.features.vocabulary",
    "tamis.model.features.word_hashes",
    "tamis.model.weights.forest",
    "tamis.page.text.strings",
    "tamis.page.scan.lexer",
    "tamis.page.scan.runs",
    "tamis.page.scan.scanner",
    "tamis.page.text.references",
}
# Bounds checks stay on: a wrong index is an exception, not a read of foreign memory. A module
# whose first line says otherwise only loops over the columns of a page, its numbers of rows and
# its offsets, which are right by the way the scanner makes them (tests/page/invariants.py).
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": True,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
    # Nobody pickles these classes: pages and results are rebuilt from their columns.
    "auto_pickle": False,
}


def is_outdated(folder: Path) -> bool:
    """Whether this file has changed since Cython last wrote to a folder."""
    written = [path.stat().st_mtime for path in folder.rglob("*.c")]
    return bool(written) and max(written) < Path(__file__).stat().st_mtime


def choose_flags(name: str) -> list[str]:
    """Return the compiler flags of a module."""
    if os.name != "posix":
        return []
    # Debug symbols would be nine tenths of the wheel, and nobody reads warnings of generated code.
    # Small code runs once, at import. With -O3 it takes a fifth of the compiler's time.
    once = "-DCYTHON_SMALL_CODE=__attribute__((cold,optimize(1)))"
    return ["-g0", "-w", once, "-O3" if name in HOT else "-O1"]


def extensions() -> list[Extension]:
    """The modules to compile. Optional: a failing compiler must not fail the installation."""
    if WANTED == "pure":
        return []
    sources = {SHARED: []} | {
        ".".join(path.with_suffix("").parts[1:]): [path.as_posix()] for path in COMPILED
    }
    return [
        Extension(
            name,
            files,
            extra_compile_args=choose_flags(name),
            include_dirs=[Path(file).parent.as_posix() for file in files],
            depends=[
                header.as_posix() for file in files for header in Path(file).parent.glob("*.h")
            ],
            optional=True,
        )
        for name, files in sources.items()
    ]


def is_thrown_away(folder: Path) -> bool:
    """Whether a wheel in this folder lives as long as an installation takes.

    pip says to what it calls that it builds; uv builds in its cache, which has the mark of caches.
    """
    parents = folder.resolve().parents
    return "PIP_BUILD_TRACKER" in os.environ or any(
        (above / "CACHEDIR.TAG").exists() for above in parents
    )


class BuildModules(build_ext):
    """Cython makes C files when they are needed, which an sdist, for one, does not."""

    started = outdated = 0

    def run(self) -> None:
        """Compile, and say which modules did not."""
        # Set here: an installation that can be edited forgets the options of a command.
        self.parallel = self.parallel or os.cpu_count() or 1
        try:
            from Cython.Build import cythonize
        except ImportError:
            print("tamis: Cython is missing", file=sys.stderr)
        else:
            print(f"Translating changed ones of {len(COMPILED)} modules to C", flush=True)
            made = cythonize(
                self.extensions,
                compiler_directives=DIRECTIVES,
                build_dir=C_FILES.as_posix(),
                # Cython looks at the modules alone, but the options in this file count as well.
                force=is_outdated(C_FILES),
                shared_utility_qualified_name=SHARED,
                quiet=True,
                # Elsewhere new processes begin with the program that builds, whatever that is.
                nthreads=self.parallel if sys.platform == "linux" else 0,
            )
            sources = {module.name: module.sources for module in made}
            for module in self.extensions:
                module.sources = sources[module.name]
            self.outdated = sum(map(self.is_outdated, self.extensions))
            super().run()
        missing = self.missing()
        if SHARED in missing:
            # No other module can be imported without it, but each can run uncompiled.
            for module in self.extensions:
                Path(self.get_ext_fullpath(module.name)).unlink(missing_ok=True)
            missing = self.missing()
        if missing and WANTED == "compiled":
            raise CompileError(f"TAMIS_BUILD=compiled, but not compiled: {', '.join(missing)}")
        if missing:
            print(f"tamis: slow, not compiled: {', '.join(missing)}", file=sys.stderr)

    def build_extension(self, ext: Extension) -> None:
        """Compile one module that has changed, and say which of how many it is."""
        if not self.is_outdated(ext):
            return
        self.started += 1
        print(f"[{self.started:2}/{self.outdated}] Compiling {ext.name}", flush=True)
        super().build_extension(ext)

    def is_outdated(self, ext: Extension) -> bool:
        """Whether a source of a module is newer than what was compiled from it."""
        path = self.get_ext_fullpath(ext.name)
        return self.force or newer_group([*ext.sources, *ext.depends], path, "newer")

    def missing(self) -> list[str]:
        """Names of the modules that did not compile."""
        return [
            module.name
            for module in self.extensions
            if not Path(self.get_ext_fullpath(module.name)).exists()
        ]


class BuildWheel(bdist_wheel):
    """A wheel that is kept has its compiled modules, unless it is to be without."""

    def run(self) -> None:
        """Build, and fail before there is a slow wheel that looks like a fast one."""
        if WANTED != "pure" and not is_thrown_away(Path(self.dist_dir)):
            self.run_command("build_ext")
            missing = self.get_finalized_command("build_ext").missing()
            if missing:
                raise CompileError(
                    f"{len(missing)} of {len(COMPILED)} modules did not compile (see above), and a"
                    " wheel without them would be 100 times slower. Install a C compiler, or set"
                    " TAMIS_BUILD=pure for a wheel that says that it has none."
                )
        super().run()


setup(
    cmdclass={"build_ext": BuildModules, "bdist_wheel": BuildWheel},
    ext_modules=extensions(),
)
