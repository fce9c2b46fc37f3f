"""What holds for every test.

Hypothesis draws the same examples on every run, so that a failure can be repeated. Tables are kept
in a folder of the session: they are computed at most once, and never the user's own.
"""

from pathlib import Path

import pytest
from hypothesis import settings

from gammon_env.rules import cache

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


@pytest.fixture(scope="session", autouse=True)
def table_folder(tmp_path_factory):
    """Return the folder of the tables. Compiled kernels stay in the user's cache."""
    folder: Path = tmp_path_factory.mktemp("tables")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cache, "cache_root", lambda: folder)
        yield folder
