"""Files that are never seen half written, and what tells one file from another."""

import hashlib
import os
from pathlib import Path


def write_atomically(path: Path, content: bytes | str) -> None:
    """Write a file under a temporary name in its folder, then rename it.

    A reader, or a process started after this one was killed, sees the old file or the new one.
    """
    data = content.encode() if isinstance(content, str) else content
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def digest(path: Path) -> str:
    """Return the SHA-256 of a file, as `sha256sum` prints it."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
