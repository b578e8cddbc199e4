"""The module as it is installed: verdicts, data, errors, threads and signals."""

import dataclasses
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time

import pytest

import suppose

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHANNEL = ROOT / "examples/fsp/channel/channel.lts"
LIGHT = """
LIGHT = (red -> green -> LIGHT).
property ALTERNATE = (green -> red -> ALTERNATE).
||CROSSING = (LIGHT || ALTERNATE).
"""
# More states than can be explored in the time of a test.
ENDLESS = """
byte a, b, c, d, e;
active [5] proctype P() { do :: a++ :: b++ :: c++ :: d++ :: e++ od }
active proctype Q() { assert(a != 255 || b != 254 || c != 253 || d != 252 || e != 251 || _pid < 99) }
"""


def endless(**options):
    return suppose.check(ENDLESS, language="promela", no_deadlock=True, engine="monolithic", **options)


def test_it_is_the_installed_module():
    assert ROOT not in pathlib.Path(suppose.__file__).parents
    assert (pathlib.Path(suppose.__file__).parent / "py.typed").exists()
    version = re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.M)
    assert suppose.__version__ == version[1]


def test_a_path_a_text_and_several_files_are_models(tmp_path):
    report = suppose.check(CHANNEL, engine="agar")
    assert report.holds and report.last_line == "holds"
    claim = report["Order"]
    assert (claim.verdict, claim.engine, claim.certified) == ("holds", "agar", True)
    assert claim.assumption.states == 2 and claim.rounds
    assert suppose.check(str(CHANNEL), property="Order").rows()[0]["name"] == "Order"
    assert suppose.check(CHANNEL.read_text(), language="fsp").holds
    parts = []
    for name, edge in [("a", "send"), ("b", "send")]:
        parts.append(tmp_path / f"{name}.aut")
        parts[-1].write_text(f'des (0,1,1)\n(0,"{edge}",0)\n')
    assert suppose.check(parts).holds


def test_a_counterexample_is_a_table():
    report = suppose.check(LIGHT, language="fsp", name="light.lts", no_deadlock=True)
    claim = report["ALTERNATE"]
    assert report.violated and claim.violated and not claim.holds
    assert [step["label"] for step in claim.trace.steps] == ["red"]
    rows = claim.trace.rows()
    assert rows[0]["step"] == 0 and len(rows) == len(claim.trace) + 1 == 2
    assert rows[1]["label"] == "red" and set(rows[0]) == set(rows[1])
    assert report.files == ["light.lts"]
    assert json.dumps(dataclasses.asdict(claim))
    with pytest.raises(KeyError, match="ALTERNATE"):
        report["Alternate"]


def test_all_kinds_of_models_have_results():
    window = suppose.check(ROOT / "examples/promela/sliding-window/sliding-window.pml", engine="monolithic", set={"N": 3})
    assert window["assertions"].verdict in ("holds", "violated")
    clauses = suppose.check(ROOT / "examples/horn/mccarthy-safe.smt2")
    assert clauses.holds and clauses.claims[0].trace is None
    water = suppose.check(ROOT / "examples/smv/water-pressure.smv")
    violated = [claim for claim in water.claims if claim.violated]
    assert violated and violated[0].location.line > 0
    assert any(claim.trace and claim.trace.steps for claim in violated)
    wrong = suppose.check(
        ROOT / "examples/prism/client-server/csn-2-wrong.nm",
        spec=ROOT / "examples/prism/client-server/csn-2-spec.nm",
    )
    assert wrong.violated and wrong.claims[0].counterexample


def test_reports_and_assumptions_show_themselves(tmp_path):
    report = suppose.assume(CHANNEL, property="Order")
    page = report._repr_html_()
    assert page.startswith("<iframe srcdoc=") and 'sandbox="allow-scripts"' in page
    assert page.count('"') == 10, "the page ends no attribute"
    report.write_html(tmp_path / "out.html")
    assert (tmp_path / "out.html").read_text().startswith("<!DOCTYPE html>")
    assumption = report["Order"].assumption
    assert "<svg" in assumption._repr_svg_()
    assert assumption.aut().startswith("des (")
    assert suppose.check(assumption.aut(), language="aut").claims
    assert suppose.draw(CHANNEL, format="dot").startswith(("digraph", "graph"))
    assert str(report) == report.text


def test_an_assumption_is_a_graph():
    networkx = pytest.importorskip("networkx")
    assumption = suppose.assume(CHANNEL, property="Order")["Order"].assumption
    graph = assumption.to_networkx()
    assert isinstance(graph, networkx.MultiDiGraph)
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (assumption.states, assumption.transitions)
    assert {data["label"] for *_, data in graph.edges(data=True)} <= set(assumption.alphabet)


def test_evidence_is_checked_again(tmp_path):
    certificate = tmp_path / "channel.cert"
    suppose.check(CHANNEL, certificate=certificate)
    assert suppose.certify(certificate, CHANNEL).accepted
    other = CHANNEL.read_text().replace("send ->", "sent ->", 1)
    judgement = suppose.certify(certificate, other, name="channel.lts")
    assert not judgement.accepted and judgement.last_line == "unknown(certificate rejected)"


def test_the_same_seed_takes_the_same_steps():
    first = suppose.simulate(CHANNEL, steps=7, seed=3)
    assert first.steps == suppose.simulate(CHANNEL, steps=7, seed=3).steps
    assert len(first) == 7 and first.last_line == "7 steps taken"
    followed = suppose.simulate(LIGHT, language="fsp", counterexample=True, property="ALTERNATE")
    assert followed.last_line == "violated(ALTERNATE) after 1 step"
    with pytest.raises(suppose.UsageError, match="no counterexample to follow"):
        suppose.simulate(CHANNEL, counterexample=True)


def test_errors_have_positions():
    with pytest.raises(suppose.InputError, match="did you mean") as raised:
        suppose.check("LIGHT = (red -> LIGHT).\n||S = (LIHGT).\n", language="fsp", name="light.lts")
    first = raised.value.diagnostics[0]
    assert (first.file, first.line, first.column, first.severity) == ("light.lts", 2, 8, "error")
    with pytest.raises(suppose.InputError, match="language="):
        suppose.check("nowhere.lts")
    with pytest.raises(suppose.UsageError, match="--far"):
        suppose.check(CHANNEL, far=2)
    with pytest.raises(suppose.UsageError, match="colours"):
        suppose.check(CHANNEL, colours=True)
    with pytest.raises(suppose.UsageError, match="agr"):
        suppose.check(CHANNEL, engine="agr")
    with pytest.raises(suppose.UsageError):
        suppose.check(CHANNEL, timeout="soon")
    assert issubclass(suppose.UsageError, suppose.Error)


def test_limits_leave_claims_unknown():
    report = endless(timeout=0.3)
    assert report.verdict == "unknown"
    assert report["assertions"].reason == "timeout"


def test_progress_is_told_and_other_threads_run():
    told, ticks, done = [], 0, threading.Event()

    def count():
        nonlocal ticks
        while not done.wait(0.01):
            ticks += 1

    thread = threading.Thread(target=count)
    thread.start()
    endless(timeout=1, on_progress=told.append)
    done.set()
    thread.join()
    assert ticks > 5, "the lock of Python was held"
    assert told and max(each["states"] for each in told) > 0
    assert set(told[0]) == {"task", "phase", "states", "transitions", "round", "seconds"}


def test_an_exception_of_the_progress_function_ends_the_check():
    def stop(_):
        raise ValueError("enough")

    with pytest.raises(ValueError, match="enough"):
        endless(timeout=60, on_progress=stop)


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_an_interrupt_ends_the_check():
    program = "import sys, test_suppose; print('ready', flush=True); test_suppose.endless(timeout=120)"
    child = subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=pathlib.Path(__file__).parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    _, errors = child.communicate(timeout=60)
    assert errors.strip().endswith("KeyboardInterrupt"), errors


def test_words_are_explained():
    assert suppose.explain("unknown(timeout)").startswith("timeout")
    with pytest.raises(suppose.UsageError, match="assumption"):
        suppose.explain("assumtion")


def test_stubs_say_what_the_native_module_has():
    from suppose import _native

    stubs = (pathlib.Path(suppose.__file__).parent / "_native.pyi").read_text()
    named = set(re.findall(r"^(?:def|class) (\w+)", stubs, re.M)) | {"__version__"}
    assert named == {name for name in dir(_native) if not name.startswith("__") or name == "__version__"}
    methods = set(re.findall(r"^    def (\w+)", stubs, re.M))
    assert methods == {name for name in dir(_native.Report) if not name.startswith("_")}
