"""What came of a call, as data."""

from __future__ import annotations

import html as _html
import json
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _native

if TYPE_CHECKING:
    import networkx


@dataclass(frozen=True)
class Location:
    """Where a claim is written."""

    file: str
    line: int
    column: int


@dataclass(frozen=True)
class Trace:
    """A run of the model. Each step is a dict with `number`, `label`, `actors`, `place`, `probability`, `changes` and `state`: the
    values that the step changes, and all values after it."""

    start: dict[str, str]
    steps: list[dict[str, Any]]
    loops_to: Optional[int]
    """The run repeats for ever from the state after this many steps."""
    end: dict[str, Any]
    last_line: str = ""
    warnings: tuple[str, ...] = ()
    seed: Optional[int] = None

    def __len__(self) -> int:
        return len(self.steps)

    def rows(self) -> list[dict[str, Any]]:
        """A table of the states, one row for each, as `pandas.DataFrame` takes it."""
        rows = [{"step": 0, "label": "", **self.start}]
        rows += [{"step": step["number"], "label": step["label"], **step["state"]} for step in self.steps]
        return rows

    @staticmethod
    def _of(document: dict, **more: Any) -> Trace:
        state = {value["name"]: value["value"] for value in document["start"]["values"]}
        start, steps = dict(state), []
        for step in document["steps"]:
            changes = {change["name"]: change["value"] for change in step["changes"]}
            state = {name: value for name, value in {**state, **changes}.items() if value is not None}
            steps.append({**step, "changes": changes, "state": state})
        return Trace(start, steps, document["loops_to"], document["end"], **more)


@dataclass(frozen=True)
class Assumption:
    """What the rest of a system may be relied on to do: an automaton."""

    states: int
    transitions: int
    initial: int
    edges: list[dict[str, Any]]
    """Dicts with `source`, `label` and `target`; of probabilistic systems also `choice` and `probability`."""
    alphabet: list[str] = field(default_factory=list)
    nodes: list[dict[str, Any]] = field(default_factory=list)
    """What each state stands for: how many concrete states (`count`), and `examples`."""

    def aut(self) -> str:
        """The automaton in Aldebaran's format."""
        if any("probability" in edge for edge in self.edges):
            raise ValueError("an assumption about a probabilistic system has no form in this format")
        quoted = [(edge["source"], json.dumps(edge["label"], ensure_ascii=False), edge["target"]) for edge in self.edges]
        lines = [f"des ({self.initial},{len(quoted)},{self.states})"]
        lines += [f"({source},{label},{target})" for source, label, target in quoted]
        return "\n".join(lines) + "\n"

    def to_networkx(self) -> networkx.MultiDiGraph:
        """The automaton as a graph of networkx, which has to be installed: states are nodes, labels are attributes of the edges."""
        import networkx

        graph = networkx.MultiDiGraph(initial=self.initial, alphabet=list(self.alphabet))
        for state in range(self.states):
            graph.add_node(state, **(self.nodes[state] if state < len(self.nodes) else {}))
        for edge in self.edges:
            more = {name: value for name, value in edge.items() if name not in ("source", "target")}
            graph.add_edge(edge["source"], edge["target"], **more)
        return graph

    def _repr_svg_(self) -> Optional[str]:
        from ._calls import draw

        if any("probability" in edge for edge in self.edges):
            return None
        return draw(self.aut(), language="aut", name="assumption.aut", component="assumption")


@dataclass(frozen=True)
class Claim:
    """One question about a model, with its verdict."""

    name: str
    kind: str
    verdict: str
    """`holds`, `violated` or `unknown`."""
    reason: Optional[str]
    """Why it is unknown, in a word: `timeout`, `memory`, ..."""
    engine: str
    engine_why: str
    certified: bool
    """Whether the independent checker accepted the evidence."""
    states: int
    transitions: int
    seconds: float
    location: Optional[Location]
    assumptions: list[Assumption]
    rounds: list[dict[str, Any]]
    """The rounds of refinement, as a table."""
    trace: Optional[Trace]
    """The counterexample, where it is a single run."""
    counterexample: Optional[dict[str, Any]]
    """The counterexample as in the JSON document: of any kind."""
    document: dict[str, Any] = field(repr=False)
    """All that the JSON document says of the claim."""

    @property
    def holds(self) -> bool:
        return self.verdict == "holds"

    @property
    def violated(self) -> bool:
        return self.verdict == "violated"

    @property
    def assumption(self) -> Optional[Assumption]:
        """The assumption, if there is exactly one."""
        return self.assumptions[0] if len(self.assumptions) == 1 else None

    @staticmethod
    def _of(claim: dict, seconds: float, certified: bool, run: Optional[str]) -> Claim:
        location, reason = claim["location"], claim["reason"]
        names = Assumption.__dataclass_fields__
        assumptions = [
            Assumption(**{name: value for name, value in each.items() if name in names})
            for each in claim["assumptions"]
        ]
        return Claim(
            name=claim["name"],
            kind=claim["kind"],
            verdict=claim["verdict"],
            reason=reason["word"] if reason else None,
            engine=claim["engine"]["name"],
            engine_why=claim["engine"]["why"],
            certified=certified,
            states=claim["states"],
            transitions=claim["transitions"],
            seconds=seconds,
            location=Location(**location) if location else None,
            assumptions=assumptions,
            rounds=claim["rounds"],
            trace=Trace._of(json.loads(run)) if run else None,
            counterexample=claim["counterexample"],
            document=claim,
        )


@dataclass(frozen=True)
class Report:
    """The verdicts on a model. In a notebook it is shown as the page that `--report` writes."""

    verdict: str
    """The worst verdict of all claims: `holds`, `violated` or `unknown`."""
    last_line: str
    claims: list[Claim]
    warnings: list[str]
    files: list[str]
    seconds: float
    memory: Optional[int]
    document: dict[str, Any] = field(repr=False)
    """The JSON document."""
    text: str = field(repr=False)
    """What the command line prints."""
    _native: _native.Report = field(repr=False, compare=False)

    @property
    def holds(self) -> bool:
        return self.verdict == "holds"

    @property
    def violated(self) -> bool:
        return self.verdict == "violated"

    def __getitem__(self, name: str) -> Claim:
        for claim in self.claims:
            if claim.name == name:
                return claim
        raise KeyError(f"there is no claim {name!r}; there are {', '.join(c.name for c in self.claims)}")

    def rows(self) -> list[dict[str, Any]]:
        """The verdicts as a table, as `pandas.DataFrame` takes it."""
        names = ("name", "verdict", "reason", "engine", "certified", "states", "transitions", "seconds")
        return [{name: getattr(claim, name) for name in names} for claim in self.claims]

    @cached_property
    def html(self) -> str:
        """The report as one self-contained page."""
        return self._native.html()

    def write_html(self, path: Union[str, Path]) -> None:
        """Writes the page."""
        Path(path).write_text(self.html, encoding="utf-8")

    def _repr_html_(self) -> str:
        # A frame of its own: neither can the page disturb the notebook nor the notebook the page.
        page = _html.escape(self.html, quote=True)
        return f'<iframe srcdoc="{page}" sandbox="allow-scripts" title="Report" width="100%" height="600"></iframe>'

    def __str__(self) -> str:
        return self.text

    @staticmethod
    def _of(native: _native.Report) -> Report:
        document = json.loads(native.json())
        certified = native.certified()
        claims = []
        for at, claim in enumerate(document["claims"]):
            name = claim["name"]
            accepted = at < len(certified) and certified[at] == (name, True)
            run = native.run(name) if claim["verdict"] == "violated" else None
            claims.append(Claim._of(claim, document["timing"]["claims_seconds"][at], accepted, run))
        return Report(
            verdict=document["verdict"],
            last_line=document["last_line"],
            claims=claims,
            warnings=document["warnings"],
            files=document["files"],
            seconds=document["timing"]["elapsed_seconds"],
            memory=document["timing"]["peak_memory_bytes"],
            document=document,
            text=native.text(),
            _native=native,
        )


@dataclass(frozen=True)
class Judgement:
    """What a file of evidence proves."""

    accepted: bool
    verdict: str
    last_line: str
    claims: list[dict[str, Any]]
    document: dict[str, Any] = field(repr=False)
    text: str = field(repr=False)

    @staticmethod
    def _of(document: str, text: str) -> Judgement:
        told = json.loads(document)
        return Judgement(told["accepted"], told["verdict"], told["last_line"], told["claims"], told, text)
