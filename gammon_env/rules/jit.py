"""How kernels are compiled: on first use, cached on disk, never stale.

Numba's cache notices a change in the file of a kernel, not in the files of the kernels it calls.
So the cache folder is named by a hash of every source file that kernels are made from.
"""

import hashlib
import os
import re
import sys
import warnings
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import numpy as np
from numba import config, njit
from numba.core import event

from gammon_env.rules.cache import cache_root

P = ParamSpec("P")
R = TypeVar("R")

_CORE = Path(__file__).resolve().parents[1]
_HAS_KERNELS = b"kernel\ndef "
_IMPORTED = re.compile(rb"^from [\w.]*?(\w+) import", re.MULTILINE)
_kernels: set[Callable[..., Any]] = set()


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function over arrays and numbers with Numba, releasing the GIL while it runs.

    Under `NUMBA_DISABLE_JIT=1` the function stays plain Python (and integer wrap-around silent, as
    in compiled code), which is how tests check the kernels without the compiler.

    Args:
        function: loops over preallocated arrays; always called with the same argument types.

    Returns:
        The compiled function.
    """
    return _compiled(function)


def lean_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel that makes no arrays of its own.

    Numba counts references to arrays, also to the rows and tuples of them that a kernel takes apart
    and hands on, which costs more than most kernels do. Without new arrays nothing needs counting.

    Args:
        function: as for `kernel`; neither it nor a kernel called by it returns an array.

    Returns:
        The compiled function.
    """
    return _compiled(function, _nrt=False)


def _compiled(function: Callable[P, R], **options: bool) -> Callable[P, R]:
    if config.DISABLE_JIT:
        return np.errstate(over="ignore")(function)
    _kernels.add(function)
    folder = _cache_folder(Path(function.__code__.co_filename).resolve().parent)
    if folder is None:
        compiled: Callable[P, R] = njit(nogil=True, **options)(function)
        return compiled
    users_folder, config.CACHE_DIR = config.CACHE_DIR, str(folder)
    try:
        compiled = njit(nogil=True, cache=True, **options)(function)
    finally:
        config.CACHE_DIR = users_folder
    return compiled


class _Announcement(event.Listener):  # type: ignore[misc]
    """Says what takes so long when a kernel is compiled instead of loaded, once in a process."""

    made = False

    def on_start(self, event: event.Event) -> None:
        """Speak up before the first kernel of ours is compiled."""
        if not self.made and event.data["dispatcher"].py_func in _kernels:
            self.made = True
            print("gammon_env: compiling kernels once, about 10 s", file=sys.stderr)

    def on_end(self, event: event.Event) -> None:
        """Say nothing more."""


event.register("numba:compile", _Announcement())


@lru_cache
def _cache_folder(sources: Path) -> Path | None:
    """Return a writable folder for kernels defined in `sources`, or None after one warning."""
    folder = cache_root() / f"kernels-{_digest(sources)}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        writable = os.access(folder, os.W_OK)
    except OSError:
        writable = False
    if not writable:
        warnings.warn(f"gammon_env: {folder} is not writable, kernels compile anew", stacklevel=2)
    return folder if writable else None


def _digest(sources: Path) -> str:
    """Hash the kernel sources of this package, and of `sources` where that lies outside it.

    Modules that they import from count, too: their constants are compiled in.
    """
    files = set(_CORE.rglob("*.py"))
    if sources != _CORE and _CORE not in sources.parents:
        files |= set(sources.glob("*.py"))
    texts = {file: file.read_bytes() for file in sorted(files)}
    kernels = [text for text in texts.values() if _HAS_KERNELS in text]
    imported = {name for text in kernels for name in _IMPORTED.findall(text)}
    digest = hashlib.sha256()
    for file, text in texts.items():
        if _HAS_KERNELS in text or file.stem.encode() in imported:
            digest.update(text)
    return digest.hexdigest()[:16]
