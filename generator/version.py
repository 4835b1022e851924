"""The version of Paperformer: the only place that states it."""

__version__ = "0.1.0"


def stamp(name: str, sha256: str) -> str:
    """What stands at the foot of a paper: a preset's name, its content, the version."""
    return f"{name} · {sha256[:6]} · v{__version__}"
