"""Suppose: a compositional model checker that finds its own assumptions.

    import suppose

    report = suppose.check("model.lts", timeout=30)
    for claim in report.claims:
        print(claim.name, claim.verdict)

`check`, `assume`, `certify`, `simulate` and `draw` take a path, several paths that are one model, or the text of a model, and the
options of the command line as keyword arguments. They release Python's lock while they work, and Ctrl-C ends them.
"""

from ._calls import Model, Options, Progress, assume, certify, check, draw, explain, simulate
from ._errors import CertificateError, Diagnostic, Error, InputError, InternalError, LimitError, UsageError
from ._native import __version__
from ._results import Assumption, Claim, Judgement, Location, Report, Trace

__all__ = [
    "Assumption",
    "CertificateError",
    "Claim",
    "Diagnostic",
    "Error",
    "InputError",
    "InternalError",
    "Judgement",
    "LimitError",
    "Location",
    "Model",
    "Options",
    "Progress",
    "Report",
    "Trace",
    "UsageError",
    "__version__",
    "assume",
    "certify",
    "check",
    "draw",
    "explain",
    "simulate",
]
