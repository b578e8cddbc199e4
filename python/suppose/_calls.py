"""The functions of the module."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any, Callable, Optional, Sequence, Union

from . import _native
from ._errors import InputError, UsageError, translated
from ._results import Judgement, Report, Trace

Model = Union[str, "os.PathLike[str]", Sequence[Union[str, "os.PathLike[str]"]]]
"""A path, several paths that are one model, or the text of a model."""
Options = Any
"""An option of the command line: `--no-deadlock` is `no_deadlock=True`, `--set N=3` is `set={"N": 3}`; a list repeats the option."""
Progress = Callable[[dict[str, Any]], object]
"""Is called ten times a second with `task`, `phase`, `states`, `transitions`, `round` and `seconds`."""


def check(
    model: Model,
    *,
    language: Optional[str] = None,
    engine: Optional[str] = None,
    timeout: Union[None, float, str] = None,
    memory: Union[None, int, str] = None,
    property: Union[None, str, Sequence[str]] = None,
    on_progress: Optional[Progress] = None,
    name: Optional[str] = None,
    **options: Options,
) -> Report:
    """Decides the claims on a model. `timeout` is in seconds, or as on the command line ("5m"); `memory` in bytes, or "4GiB".
    Limits leave claims unknown, and raise nothing. `name` is what a model that is given as text is called."""
    options = _gathered(options, language, engine, timeout, memory, property)
    with translated():
        return Report._of(_native.check(*_source(model, name, language), _written(options), on_progress))


def assume(
    model: Model,
    *,
    language: Optional[str] = None,
    engine: Optional[str] = None,
    timeout: Union[None, float, str] = None,
    memory: Union[None, int, str] = None,
    property: Union[None, str, Sequence[str]] = None,
    on_progress: Optional[Progress] = None,
    name: Optional[str] = None,
    **options: Options,
) -> Report:
    """Finds the smallest assumption that proves a property, or with `component=` what is required of it."""
    options = _gathered(options, language, engine, timeout, memory, property)
    with translated():
        return Report._of(_native.assume(*_source(model, name, language), _written(options), on_progress))


def certify(
    certificate: Union[str, "os.PathLike[str]"],
    model: Model,
    *,
    language: Optional[str] = None,
    timeout: Union[None, float, str] = None,
    memory: Union[None, int, str] = None,
    on_progress: Optional[Progress] = None,
    name: Optional[str] = None,
    **options: Options,
) -> Judgement:
    """Checks the evidence that `check(..., certificate=PATH)` wrote, without any engine."""
    options = _gathered(options, language, None, timeout, memory, None)
    with translated():
        told = _native.certify(certificate, *_source(model, name, language), _written(options), on_progress)
    return Judgement._of(*told)


def simulate(
    model: Model,
    *,
    steps: Optional[int] = None,
    seed: Optional[int] = None,
    counterexample: bool = False,
    language: Optional[str] = None,
    timeout: Union[None, float, str] = None,
    memory: Union[None, int, str] = None,
    property: Union[None, str, Sequence[str]] = None,
    on_progress: Optional[Progress] = None,
    name: Optional[str] = None,
    **options: Options,
) -> Trace:
    """Takes steps at random, 20 by default, or follows the counterexample that a check finds. The same seed gives the same run."""
    options = _gathered(options, language, None, timeout, memory, property)
    options.update(steps=steps, seed=seed, counterexample=counterexample)
    with translated():
        document, last_line, warnings = _native.simulate(
            *_source(model, name, language), _written(options), on_progress
        )
    return Trace._of(
        json.loads(document),
        last_line=last_line,
        warnings=tuple(warnings),
        seed=None if counterexample else seed or 0,
    )


def draw(
    model: Model,
    *,
    format: str = "svg",
    language: Optional[str] = None,
    component: Optional[str] = None,
    property: Optional[str] = None,
    composition: bool = False,
    name: Optional[str] = None,
    **options: Options,
) -> str:
    """Draws a system, a component, a property or the composition as "svg" or "dot"."""
    if format not in ("svg", "dot"):
        raise UsageError(f"the format is 'svg' or 'dot', not {format!r}")
    options = _gathered(options, language, None, None, None, property)
    options.update(component=component, composition=composition)
    with tempfile.TemporaryDirectory() as folder, translated():
        path = Path(folder) / f"drawing.{format}"
        _native.draw(*_source(model, name, language), _written({**options, "output": path}))
        return path.read_text(encoding="utf-8")


def explain(word: str) -> str:
    """Explains a word of reports and documentation."""
    with translated():
        return _native.explain(word)


def _source(
    model: Model, name: Optional[str], language: Optional[str]
) -> tuple[list[Any], list[tuple[Any, bytes]]]:
    """The files of a model, and the texts of those that are not on the disk."""
    if isinstance(model, os.PathLike):
        return [model], []
    if not isinstance(model, str):
        return [os.fspath(file) for file in model], []
    is_text = name is not None or "\n" in model or (language is not None and not os.path.exists(model))
    if is_text:
        called = name or "model"
        return [called], [(called, model.encode())]
    if not os.path.exists(model):
        raise InputError(f"there is no file {model!r}; to check a text, say its language: language='fsp'")
    return [model], []


def _gathered(
    options: dict[str, Options],
    language: Optional[str],
    engine: Optional[str],
    timeout: Union[None, float, str],
    memory: Union[None, int, str],
    property: Union[None, str, Sequence[str]],
) -> dict[str, Options]:
    if isinstance(timeout, (int, float)):
        timeout = f"{timeout}s"
    if isinstance(memory, int):
        memory = f"{memory}B"
    return {
        **options,
        "language": language,
        "engine": engine,
        "timeout": timeout,
        "memory": memory,
        "property": property,
    }


def _written(options: dict[str, Options]) -> list[str]:
    """Options as on a command line."""
    written: list[str] = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            written.append(option)
            continue
        if isinstance(value, dict):
            value = [f"{key}={each}" for key, each in value.items()]
        several = value if isinstance(value, (list, tuple)) else [value]
        written += [f"{option}={os.fspath(each) if isinstance(each, os.PathLike) else each}" for each in several]
    return written
