"""The crew: threads that share the lanes of a vector environment among them."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, TypeVar

T = TypeVar("T")


class Crew:
    """Runs work on parts of the lanes, each in a thread of its own.

    Compiled steps release the interpreter lock, so that threads run side by side.

    Args:
        lanes: how many there are.
        threads: how many work at once; no more than there are lanes.

    Attributes:
        parts: the lanes of each thread.
    """

    def __init__(self, lanes: int, threads: int) -> None:
        threads = min(lanes, threads)
        cuts = [lanes * number // threads for number in range(threads + 1)]
        self.parts = [slice(start, stop) for start, stop in pairwise(cuts)]
        self._pool: ThreadPoolExecutor | None = None

    def run(self, work: Callable[[int, slice], T]) -> list[T]:
        """Call `work` with the number and the lanes of each part; return what it gives, in order.

        The caller's own thread does the first part.
        """
        number, first, *others = (0, *self.parts)
        if not others:
            return [work(number, first)]
        if self._pool is None:
            self._pool = ThreadPoolExecutor(len(others), "gammon-lanes")
        pending = [self._pool.submit(work, i, part) for i, part in enumerate(others, start=1)]
        return [work(number, first), *(future.result() for future in pending)]

    def close(self) -> None:
        """End the threads; the next `run` starts them again."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def __getstate__(self) -> dict[str, Any]:
        """Copies start their own threads."""
        return {**self.__dict__, "_pool": None}
