// Explore: the counterexample step by step, and the simulator. Both are a run; the simulator makes it longer.

import { ask, get, page, post } from "./api";
import { announce, download, h, plural, replace, s, type Child } from "./dom";
import type { Editor } from "./editor";
import { LongList } from "./list";
import { drawChart } from "./chart";
import { Run, linesOf, type End, type Step, type Transcript, type Value } from "./run";
import { store } from "./store";

interface Offered {
  label: string;
  actors: string[];
  place: string | null;
  outcomes: { probability: string | null; changes: Value[]; wrong: string | null }[];
}

interface View {
  length: number;
  start: [string, string][];
  taken: Step[];
  enabled: Offered[];
  more: boolean;
  end: End | null;
  note: string | null;
  starts: { count: number; more: boolean };
  error?: string;
  failure?: { diagnostics: { message: string }[] };
}

export class ExplorePanel {
  readonly element = h("section.panel.explore", { "aria-label": "Explore" });
  private run: Run | null = null;
  /** Of which job and claim it is the counterexample, if it is one. */
  private loaded: string | null = null;
  private at = 0;
  private title = "";
  private mode: "counterexample" | "simulator" = "counterexample";
  private walk: { job: number; view: View } | null = null;
  private playing: ReturnType<typeof setInterval> | null = null;
  private filter = "";
  private picture: "state" | "chart" = "state";

  private bar = h("div.stepper-bar");
  private modes = h("div.mode-row");
  private list = new LongList(30, (i) => this.row(i), "Steps");
  private side = h("div.step-side");
  private offers = h("div.offers");
  private body = h("div.explore-body", {}, h("div.step-list", {}, this.list.element), this.side);

  constructor(private editor: Editor) {
    this.element.append(this.modes, this.bar, this.offers, this.body);
    this.element.addEventListener("keydown", (event) => this.key(event));
    store.on("selection", () => void this.load());
    store.on("document", () => {
      void this.endWalk();
      if (this.mode === "simulator") this.setMode("counterexample");
    });
    this.draw();
  }

  private setMode(mode: "counterexample" | "simulator"): void {
    this.mode = mode;
    this.pause();
    if (mode === "counterexample") void this.load();
    else void this.begin();
  }

  /** The counterexample of the selected claim. */
  private async load(): Promise<void> {
    if (this.mode === "simulator" && this.walk) return;
    this.mode = "counterexample";
    const chosen = store.selected;
    const claim = store.claimResult();
    const key = chosen && `${chosen.job.id} ${chosen.claim}`;
    // A claim is selected when its check ends and again when it is opened: the place in the run is kept.
    if (this.run && key !== null && key === this.loaded) return;
    let run: Run | null = null;
    if (chosen && claim?.run) {
      const path = `/api/jobs/${chosen.job.id}/run?claim=${encodeURIComponent(chosen.claim)}`;
      try {
        const transcript = await get<Transcript>(path);
        if (store.selected !== chosen) return;
        run = new Run(transcript);
        this.title = claim.name;
      } catch (error) {
        announce((error as Error).message, "bad");
      }
    }
    this.run = run;
    this.loaded = run ? key : null;
    this.at = 0;
    this.draw();
  }

  /** A run from elsewhere. */
  show(title: string, transcript: Transcript): void {
    void this.endWalk();
    this.pause();
    this.mode = "counterexample";
    this.run = new Run(transcript);
    this.loaded = null;
    this.title = title;
    this.at = 0;
    this.draw();
  }

  private async begin(): Promise<void> {
    await this.endWalk();
    this.run = null;
    this.loaded = null;
    this.draw();
    try {
      const { job } = await post<{ job: number }>("/api/jobs", { page, kind: "walk", model: store.model() });
      const view = await post<View>(`/api/jobs/${job}/walk`, { do: "look" });
      if (view.failure) throw new Error(view.failure.diagnostics[0]?.message ?? "the model cannot be simulated");
      if (view.error) throw new Error(view.error);
      this.walk = { job, view };
      this.restart(view);
    } catch (error) {
      announce((error as Error).message, "bad");
      this.mode = "counterexample";
    }
    this.draw();
  }

  private restart(view: View): void {
    const values = view.start.map(([name, value]) => ({ name, value }));
    this.run = new Run({ start: { values, notes: [] }, steps: [...view.taken], loops_to: null, remarks: [], end: view.end });
    this.title = "Simulation";
    this.at = view.length;
  }

  private async endWalk(): Promise<void> {
    const walk = this.walk;
    this.walk = null;
    if (walk) await ask(`/api/jobs/${walk.job}`, { method: "DELETE" }).catch(() => undefined);
  }

  /** Sends a command to the walk. It goes on from where one looks: later steps are undone first. */
  private async command(command: Record<string, unknown>): Promise<void> {
    const walk = this.walk;
    const run = this.run;
    if (!walk || !run) return;
    try {
      if (this.at < run.length && command.do !== "begin") {
        await post<View>(`/api/jobs/${walk.job}/walk`, { do: "undo", count: run.length - this.at });
        run.cut(this.at);
      }
      const view = await post<View>(`/api/jobs/${walk.job}/walk`, command);
      if (view.error) throw new Error(view.error);
      if (view.note) announce(view.note);
      walk.view = view;
      if (command.do === "begin") this.restart(view);
      else {
        run.cut(Math.min(run.length, view.length - view.taken.length));
        run.add(view.taken);
        run.transcript.end = view.end;
        this.at = run.length;
      }
      this.draw();
    } catch (error) {
      announce((error as Error).message, "bad");
    }
  }

  go(at: number): void {
    if (!this.run) return;
    const next = Math.max(0, Math.min(at, this.run.length));
    const moved = next !== this.at;
    this.at = next;
    if (moved) this.drawStep();
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (!this.run || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return;
    const keys: Record<string, () => void> = {
      ArrowRight: () => this.go(this.at + 1),
      ArrowDown: () => this.go(this.at + 1),
      ArrowLeft: () => this.go(this.at - 1),
      ArrowUp: () => this.go(this.at - 1),
      PageDown: () => this.go(this.at + 20),
      PageUp: () => this.go(this.at - 20),
      Home: () => this.go(0),
      End: () => this.go(this.run!.length),
      " ": () => this.toggle(),
    };
    const act = keys[event.key];
    if (!act || (event.key === " " && target.tagName === "BUTTON")) return;
    event.preventDefault();
    act();
  }

  private toggle(): void {
    if (this.playing) {
      this.pause();
      this.drawBar();
      return;
    }
    if (this.at >= (this.run?.length ?? 0)) this.at = 0;
    this.playing = setInterval(() => {
      const run = this.run;
      if (!run || this.at >= run.length) {
        // What repeats for ever is played for ever.
        if (run && run.loopsTo !== null && run.loopsTo < run.length) this.go(run.loopsTo);
        else this.pause();
        this.drawBar();
        return;
      }
      this.go(this.at + 1);
    }, 700);
    this.drawBar();
  }

  private pause(): void {
    if (this.playing) clearInterval(this.playing);
    this.playing = null;
  }

  private draw(): void {
    const simulates = store.hello?.languages ? store.language()?.simulates : false;
    const tab = (name: "counterexample" | "simulator", words: string, off: boolean) =>
      h("button.segment", { "aria-pressed": String(this.mode === name), disabled: off, onclick: () => this.setMode(name) }, words);
    replace(this.modes, h("div.segments", { role: "group", "aria-label": "What to explore" }, tab("counterexample", "Counterexample", false), tab("simulator", "Simulator", !simulates)), h("span.run-title", {}, this.run ? this.title : ""));
    this.list.setCount(this.run ? this.run.length + 1 : 0);
    this.body.hidden = !this.run;
    this.drawStep();
  }

  private drawStep(): void {
    this.drawBar();
    this.drawOffers();
    this.drawSide();
    if (this.run) this.list.show(this.at);
    const step = this.run?.step(this.at);
    const { now, mentioned } = linesOf(step, store.document.text, store.document.name);
    this.editor.highlight(now, mentioned);
  }

  private drawBar(): void {
    const run = this.run;
    if (!run) {
      const chosen = store.claimResult();
      replace(
        this.bar,
        h(
          "div.empty",
          {},
          h("p", {}, chosen && chosen.verdict === "holds" ? `${chosen.name} holds: there is no counterexample to step through.` : "No run is open."),
          h("p.hint", {}, "Check a model with a property that is violated, or open the simulator and take steps yourself."),
        ),
      );
      return;
    }
    const button = (shape: string, label: string, at: number) => h("button.icon", { title: label, "aria-label": label, onclick: () => this.go(at), disabled: at === this.at || at < 0 || at > run.length }, sign(shape));
    replace(
      this.bar,
      h(
        "div.controls",
        {},
        button(SIGNS.first, "First state (Home)", 0),
        button(SIGNS.back, "Back (←)", this.at - 1),
        h("button.icon.play", { title: "Play (space)", "aria-label": this.playing ? "Pause" : "Play", onclick: () => this.toggle() }, sign(this.playing ? SIGNS.pause : SIGNS.play)),
        button(SIGNS.on, "Forward (→)", this.at + 1),
        button(SIGNS.last, "Last state (End)", run.length),
        h("input.slider", {
          type: "range",
          min: 0,
          max: run.length,
          value: this.at,
          "aria-label": "Position in the run",
          oninput: (event: Event) => this.go(Number((event.target as HTMLInputElement).value)),
        }),
        h("span.position", { "aria-live": "polite" }, `${this.at} / ${run.length}`),
      ),
      run.loopsTo !== null && h("p.loop-note", {}, "↻ ", run.loopsTo >= run.length ? "it stays in the last state for ever" : `steps ${run.loopsTo + 1} to ${run.length} repeat for ever`),
    );
  }

  private drawOffers(): void {
    const walk = this.walk;
    this.offers.hidden = this.mode !== "simulator" || !walk || !this.run;
    if (!walk || !this.run || this.mode !== "simulator") return;
    const live = this.at === this.run.length;
    const { enabled, more, end, starts } = walk.view;
    const choice = (offer: Offered, step: number) =>
      offer.outcomes.length > 1
        ? h(
            "div.offer.many",
            {},
            h("span.offer-label", {}, offer.label || "step"),
            offer.actors.length > 0 && h("span.hint", {}, offer.actors.join(", ")),
            offer.outcomes.map((outcome, number) =>
              h("button.small", { onclick: () => void this.command({ do: "take", step, outcome: number }) }, h("b", {}, outcome.probability ?? ""), " ", changesText(outcome.changes)),
            ),
          )
        : h(
            "button.offer",
            { onclick: () => void this.command({ do: "take", step }), class: `offer${offer.outcomes[0]?.wrong ? " bad" : ""}`, title: offer.outcomes[0]?.wrong ?? changesText(offer.outcomes[0]?.changes ?? []) },
            h("span.offer-label", {}, offer.label || changesText(offer.outcomes[0]?.changes ?? [])),
            h("span.hint", {}, [offer.actors.join(", "), offer.place ?? ""].filter(Boolean).join(" · ")),
          );
    const names = [...this.run.state(this.at).keys()];
    const reachName = h("input", { list: "state-names", placeholder: "name", "aria-label": "Name of a value", spellcheck: "false" });
    const reachValue = h("input", { placeholder: "value", "aria-label": "Value to reach", spellcheck: "false" });
    replace(
      this.offers,
      h(
        "div.offer-tools",
        {},
        h("button.small", { onclick: () => void this.command({ do: "undo", count: live ? 1 : 0 }), disabled: this.at === 0 }, "Undo"),
        h("button.small", { onclick: () => void this.command({ do: "random", count: 1 }) }, "Random step"),
        h("button.small", { onclick: () => void this.command({ do: "random", count: 100 }) }, "100 random"),
        h("button.small", { onclick: () => void this.command({ do: "begin", seed: Math.floor(Math.random() * 1e9) }) }, starts.count > 1 || starts.more ? "Another start" : "Restart"),
        h("button.small", { onclick: () => this.keep() }, "Save as a trace"),
        h(
          "form.reach",
          {
            onsubmit: (event: Event) => {
              event.preventDefault();
              void this.command({ do: "reach", name: reachName.value.trim(), value: reachValue.value.trim() });
            },
          },
          h("span.hint", {}, "go to"),
          reachName,
          "=",
          reachValue,
          h("datalist", { id: "state-names" }, names.slice(0, 500).map((n) => h("option", { value: n }))),
          h("button.small", {}, "Find"),
        ),
      ),
      live
        ? end
          ? h("p.ending", {}, ending(end))
          : h("div.offer-list", {}, enabled.map(choice), more && h("span.hint", {}, "and more: a random step may take any of them"))
        : h("p.hint", {}, "You are looking back. A step from here forgets the later ones. ", h("button.small", { onclick: () => this.go(this.run!.length) }, "To the end")),
    );
  }

  private keep(): void {
    const text = JSON.stringify({ schema: "suppose-simulation", schema_version: 1, ...this.run!.transcript }, null, 1);
    download("trace.json", text, "application/json");
  }

  private row(index: number): HTMLElement {
    const run = this.run!;
    const step = run.step(index);
    const inLoop = run.loopsTo !== null && index > run.loopsTo;
    const last = index === run.length && run.transcript.end && run.transcript.end.reason !== "quit";
    return h(
      "div",
      { class: `step${index === this.at ? " now" : ""}${inLoop ? " in-loop" : ""}${last ? " last" : ""}`, "aria-selected": String(index === this.at), onclick: () => this.go(index) },
      h("span.step-number", {}, index),
      step && step.actors.length > 0 && h("span.step-actor", {}, step.actors.join(", ")),
      h("span.step-label", {}, step ? step.label || changesText(step.changes) : "initial state"),
      step?.probability && h("span.badge", {}, step.probability),
      inLoop && index === run.loopsTo! + 1 && h("span.badge", { title: "the loop begins here" }, "↻"),
    );
  }

  private drawSide(): void {
    const run = this.run;
    if (!run) {
      replace(this.side);
      return;
    }
    const step = run.step(this.at);
    const before = this.at > 0 ? run.state(this.at - 1) : new Map<string, string>();
    const changes: Child = step
      ? step.changes.map((c) => h("div.change", {}, h("span.value-name", {}, c.name), h("span.old", {}, before.get(c.name) ?? "–"), h("span.to", { "aria-label": "becomes" }, "→"), h("span.new", {}, c.value ?? "gone")))
      : h("p.hint", {}, "The initial state.");
    const notes = this.at === 0 ? run.transcript.start.notes : (step?.notes ?? []);
    const atEnd = this.at === run.length && run.transcript.end;
    const segment = (name: "state" | "chart", words: string) =>
      h("button.segment", { "aria-pressed": String(this.picture === name), onclick: () => ((this.picture = name), this.drawSide()) }, words);
    const picture = h("div.picture");
    replace(
      this.side,
      h("div.step-head", {}, h("h3", {}, step ? `Step ${this.at}: ${step.label || plural(step.changes.length, "change")}` : "Initial state"), step?.place && h("button.small.place", { onclick: () => this.toPlace(step) }, step.place)),
      h("div.changes", {}, changes, step && step.changes.length === 0 && h("p.hint", {}, "Nothing changes.")),
      notes.map((note) => h("p.note", {}, note)),
      atEnd && run.transcript.end && run.transcript.end.reason !== "quit" && h("p.ending", {}, ending(run.transcript.end)),
      atEnd && run.transcript.remarks.map((r) => h("p.note", {}, r)),
      h("div.segments", { role: "group", "aria-label": "View" }, segment("state", "Full state"), segment("chart", run.actors(1).length ? "Message chart" : "Timeline")),
      picture,
    );
    if (this.picture === "chart") drawChart(picture, run, this.at, (at) => this.go(at));
    else this.drawState(picture, run, step);
  }

  private toPlace(step: Step): void {
    const line = Number(step.place?.split(":").pop());
    if (line) this.editor.goToLine(line);
  }

  private drawState(place: HTMLElement, run: Run, step: Step | undefined): void {
    const changed = new Set(step?.changes.map((c) => c.name));
    const values = [...run.state(this.at)];
    const table = h("div.state-tree", { role: "tree", "aria-label": "Full state" });
    const fill = () => {
      const wanted = this.filter.toLowerCase();
      const shown = values.filter(([name, value]) => !wanted || name.toLowerCase().includes(wanted) || value.toLowerCase().includes(wanted));
      replace(table, tree(shown, changed), shown.length === 0 && h("p.hint", {}, "nothing matches"));
    };
    const input = h("input.filter", {
      placeholder: `filter ${plural(values.length, "value")}`,
      value: this.filter,
      "aria-label": "Filter the state",
      oninput: (event: Event) => {
        this.filter = (event.target as HTMLInputElement).value;
        fill();
      },
    });
    replace(place, values.length > 8 && input, table);
    fill();
  }
}

/** Drawn, because few fonts have them all. */
const SIGNS = {
  first: "M3 3h2v10H3z M13 3v10L6 8z",
  back: "M11.5 3v10L4 8z",
  play: "M4.5 2.5v11L13 8z",
  pause: "M4 3h3v10H4z M9 3h3v10H9z",
  on: "M4.5 3v10L12 8z",
  last: "M11 3h2v10h-2z M3 3v10L10 8z",
};

function sign(shape: string): SVGElement {
  return s("svg.sign", { viewBox: "0 0 16 16", "aria-hidden": "true" }, s("path", { d: shape }));
}

/** Values in groups by the part of their names before the first dot or bracket. */
function tree(values: [string, string][], changed: Set<string>): Child {
  const groups = new Map<string, [string, string, string][]>();
  for (const [name, value] of values) {
    const found = /^([^.[]+(?:\[\d+\])?)\.(.+)$/.exec(name) ?? /^([^[]+)(\[.+)$/.exec(name);
    const [group, rest] = found ? [found[1]!, found[2]!] : ["", name];
    groups.set(group, [...(groups.get(group) ?? []), [rest, value, name]]);
  }
  const leaf = ([rest, value, name]: [string, string, string]) =>
    h("div", { class: `leaf${changed.has(name) ? " changed" : ""}`, role: "treeitem" }, h("span.value-name", { title: name }, rest), h("span.value", {}, value));
  return [...groups].map(([group, leaves]) =>
    group === "" || leaves.length === 1
      ? leaves.map(([rest, value, name]) => leaf([group ? name : rest, value, name]))
      : h("details", { open: leaves.length <= 40 || leaves.some((l) => changed.has(l[2])), role: "group" }, h("summary", {}, group, h("span.hint", {}, ` ${leaves.length}`)), leaves.slice(0, 400).map(leaf), leaves.length > 400 && h("p.hint", {}, `and ${leaves.length - 400} more: filter`)),
  );
}

function changesText(changes: Value[]): string {
  if (changes.length === 0) return "nothing changes";
  const few = changes.slice(0, 4).map((c) => (c.value === null ? `${c.name} is gone` : `${c.name} = ${c.value}`));
  return few.join(", ") + (changes.length > 4 ? ` and ${changes.length - 4} more` : "");
}

function ending(end: End): string {
  const what = end.reason === "violated" ? `✗ ${end.property} is violated` : end.reason === "deadlock" ? "✗ deadlock" : end.reason === "end" ? "the end: nothing is left to do" : "";
  return [what, end.why ?? ""].filter(Boolean).join(": ");
}
