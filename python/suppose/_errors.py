"""Errors with positions."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Iterator, Optional

from . import _native


@dataclass(frozen=True)
class Diagnostic:
    """What is wrong, and where."""

    message: str
    severity: str
    file: Optional[str] = None
    line: Optional[int] = None
    column: Optional[int] = None
    help: tuple[str, ...] = ()


class Error(Exception):
    """A model that cannot be read, or a call that makes no sense. The text shows the line that is meant."""

    def __init__(self, text: str, diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        super().__init__(text)
        self.diagnostics = diagnostics


class UsageError(Error):
    """An option that does not exist, or has no meaning for this model."""


class InputError(Error):
    """A file that cannot be read or written, or is not a model."""


class LimitError(Error):
    """A limit was reached before there was a result."""


class CertificateError(Error):
    """Evidence was rejected."""


class InternalError(Error):
    """A bug in Suppose."""


_KINDS: dict[int, type[Error]] = {
    1: UsageError,
    2: InputError,
    3: LimitError,
    4: CertificateError,
    6: InternalError,
}


def _diagnostic(record: dict) -> Diagnostic:
    helps = record.get("help") or ()
    return Diagnostic(
        message=record["message"],
        severity=record["severity"],
        file=record.get("file"),
        line=record.get("line"),
        column=record.get("column"),
        help=(helps,) if isinstance(helps, str) else tuple(helps),
    )


@contextmanager
def translated() -> Iterator[None]:
    """Turns errors of the native module into those above."""
    try:
        yield
    except _native.Failed as failed:
        document, text = failed.args
        error = json.loads(document)
        kind = _KINDS.get(error["exit_status"], Error)
        raise kind(text, tuple(_diagnostic(record) for record in error["diagnostics"])) from None
