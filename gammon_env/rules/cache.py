"""The user's cache folder: arrays that are computed once, kept there, and checked when read.

A file is a SHA-256 checksum and the arrays as numpy writes them. The checksum covers the sources
that computed them too: a file that is damaged, cut short or from another version is built anew.
"""

import hashlib
import io
import os
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Arrays = Mapping[str, npt.NDArray[Any]]

_CHECKSUM_BYTES = hashlib.sha256().digest_size


def cache_root() -> Path:
    """Return the folder for everything this package keeps, which may not exist yet."""
    root = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    return (Path(root) if root else Path.home() / ".cache") / "gammon_env"


def cached_arrays(name: str, sources: Iterable[Path], build: Callable[[], Arrays]) -> Arrays:
    """Return the arrays kept under a name; where there are none that hold good, build them.

    Building says so in one line on stderr. Where the folder can't be written the arrays are built
    in every process, after one warning.

    Args:
        name: of the file.
        sources: the source files that decide what the arrays hold.
        build: computes the arrays.

    Returns:
        The arrays by name, read-only, since all callers share them.
    """
    path = cache_root() / f"{name}.arrays"
    version = b"".join(source.read_bytes() for source in sources)
    arrays = _read(path, version)
    if arrays is None:
        start = time.perf_counter()
        arrays = build()
        seconds = time.perf_counter() - start
        print(f"gammon_env: built {path.name} in {seconds:.1f} s", file=sys.stderr)
        _keep(path, version, arrays)
    for array in arrays.values():
        array.flags.writeable = False
    return arrays


def _read(path: Path, version: bytes) -> Arrays | None:
    """Return the arrays of a file, None if it is missing or its checksum is wrong."""
    try:
        stored = memoryview(path.read_bytes())
    except OSError:
        return None
    checksum, content = stored[:_CHECKSUM_BYTES], stored[_CHECKSUM_BYTES:]
    if checksum != _checksum(version, content):
        return None
    with np.load(io.BytesIO(content)) as archive:
        return dict(archive)


def _keep(path: Path, version: bytes, arrays: Arrays) -> None:
    content = io.BytesIO()
    np.savez(content, **arrays)  # type: ignore[arg-type]  # its own option is no array
    try:
        _write_atomically(path, _checksum(version, content.getbuffer()), content.getbuffer())
    except OSError as error:
        _warn_once(path.parent, str(error))


def _checksum(version: bytes, content: memoryview) -> bytes:
    digest = hashlib.sha256(version)
    digest.update(content)
    return digest.digest()


def _write_atomically(path: Path, *parts: bytes | memoryview) -> None:
    """Write a file so that other processes see the whole of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, scratch = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(parts)
        Path(scratch).replace(path)
    except OSError:
        Path(scratch).unlink(missing_ok=True)
        raise


@lru_cache
def _warn_once(folder: Path, why: str) -> None:
    warnings.warn(
        f"gammon_env: {folder} is not writable ({why}), tables are built in every process",
        stacklevel=2,
    )
