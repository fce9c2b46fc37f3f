"""The one family of errors a user of this package can cause."""


class GammonError(ValueError):
    """Bad input: the message names what was wrong and what would be right.

    Raised for an impossible board, an illegal play, text or an ID that cannot be read, a wrong
    checkpoint or configuration. Nothing has been changed when it is raised.
    """
