"""What an author of vectors must correct."""


class AuthoringError(Exception):
    """A vector that its author must correct: the vector, what was found, what was expected."""
