"""What holds for tests of players and of learning."""

import numpy as np
import pytest
from numba import config

from gammon_env.rules.bearoff import Tables


@pytest.fixture(autouse=True, scope="session")
def no_tables_without_the_compiler():
    """Leave networks without bear-off tables where kernels run as plain Python.

    There the tables would take minutes; the tests that run so judge no bear-off.
    """
    empty = Tables(*(np.empty((0, 0), np.float32) for _ in Tables._fields))
    with pytest.MonkeyPatch.context() as patch:
        if config.DISABLE_JIT:
            patch.setattr("agents.network.load_tables", lambda: empty)
        yield
