// The assumption: drawn, with the rounds in which it was found, and to be changed: do the premises still hold?

import { ask, get, page, post } from "./api";
import { icon } from "./check";
import { h, plural, replace, s, type Child } from "./dom";
import { GraphView } from "./graph";
import type { Transcript } from "./run";
import { store, type Automaton, type ClaimReport } from "./store";

interface Trial {
  states?: number;
  proves?: boolean;
  premises?: { says: string; verdict: string; reason: string | null; certified: boolean; run: Transcript | null }[];
  failure?: { diagnostics: { message: string; line?: number | null; help?: string[] }[] };
}

export class AssumptionPanel {
  readonly element = h("section.panel", { "aria-label": "Assumption" });
  private which = 0;
  private pending: ReturnType<typeof setTimeout> | undefined;
  private job: number | null = null;
  /** Only the last try counts. */
  private tries = 0;

  constructor(private explore: (title: string, run: Transcript) => void) {
    store.on("selection", () => {
      this.which = 0;
      this.draw();
    });
    this.draw();
  }

  private draw(): void {
    const claim = store.claimReport();
    const all = automata(claim);
    if (!claim || all.length === 0) {
      replace(
        this.element,
        h(
          "div.empty",
          {},
          h("p", {}, "No assumption yet."),
          h("p.hint", {}, "To prove a property of one part of a system, it is enough to assume something about the rest. Suppose finds the assumption: press “Find the smallest assumption”, or check an FSP model with the engine agar, learn or quotient."),
        ),
      );
      return;
    }
    const system = store.selected?.job.result?.report?.system;
    const automaton = all[Math.min(this.which, all.length - 1)]!;
    const detail = h("div.state-detail", { "aria-live": "polite" });
    const graph = new GraphView(automaton, (state) => replace(detail, about(automaton, state)));
    const groups = (claim.groups ?? []).map((g) => g.map((i) => system?.components[i]?.name ?? String(i)).join(", "));
    replace(
      this.element,
      h("div.assumption-head", {}, h("h2", {}, `What ${claim.name} assumes`), h("p", {}, `${plural(automaton.states, "state")}, ${plural(automaton.edges.length, "transition")}`, groups.length > 1 ? ` · proves the property of ${groups[0]} whatever else ${groups.slice(1).join("; ")} does` : "")),
      all.length > 1 && h("div.segments", { role: "group", "aria-label": "Assumptions" }, all.map((_, i) => h("button.segment", { "aria-pressed": String(i === this.which), onclick: () => ((this.which = i), this.draw()) }, `A${i + 1}`))),
      graph.element,
      detail,
      this.edit(claim, automaton),
      rounds(claim),
    );
  }

  /** The assumption as text, to be changed; the premises are decided again when nobody has typed for a moment. */
  private edit(claim: ClaimReport, automaton: Automaton): Child {
    const about = standsFor(claim);
    const kind = store.selected?.job.model.name.split(".").pop() ?? "";
    if (!about.length || !["lts", "fsp", "aut", "json"].includes(kind) || automaton.states > 400) return null;
    const text = process(automaton);
    const results = h("div.trial", { "aria-live": "polite" });
    const area = h("textarea", { spellcheck: "false", "aria-label": "The assumption as an FSP process", rows: Math.min(14, automaton.states + 2) });
    area.value = text;
    const soon = (delay: number) => {
      clearTimeout(this.pending);
      this.pending = setTimeout(() => void this.attempt(claim.name, about, area.value, results), delay);
    };
    area.addEventListener("input", () => soon(400));
    soon(0);
    return h(
      "div.edit-assumption",
      {},
      h("h3", {}, "Change it"),
      h("p.hint", {}, `Weaker or stronger: does it still prove ${claim.name}, and is it still true of ${about.join(", ")}? `, h("button.small", { onclick: () => ((area.value = text), soon(0)) }, "Back to the original")),
      area,
      results,
    );
  }

  private async attempt(property: string, about: string[], assumption: string, place: HTMLElement): Promise<void> {
    const model = store.selected?.job.model;
    if (!model) return;
    const mine = ++this.tries;
    const forget = (job: number) => void ask(`/api/jobs/${job}`, { method: "DELETE" }).catch(() => undefined);
    if (this.job !== null) forget(this.job);
    this.job = null;
    try {
      const question = { claims: [property], components: about, seconds: 30 };
      const { job } = await post<{ job: number }>("/api/jobs", { page, kind: "trial", model, question, assumption });
      if (mine !== this.tries) {
        forget(job);
        return;
      }
      this.job = job;
      await store.ended(job);
      if (mine !== this.tries) return;
      this.job = null;
      const trial = await get<Trial>(`/api/jobs/${job}`);
      forget(job);
      replace(place, this.tried(property, trial));
    } catch (error) {
      replace(place, h("p.bad", {}, (error as Error).message));
    }
  }

  private tried(property: string, trial: Trial): Child {
    if (trial.failure) {
      return trial.failure.diagnostics.map((d) => h("p.bad", {}, d.line ? `line ${d.line}: ` : "", d.message, (d.help ?? []).map((help) => h("span.hint", {}, ` ${help}`))));
    }
    const words = ["Is it enough?", "Is it true?"];
    const premises = trial.premises ?? [];
    const both = trial.proves ? `Both hold, so ${property} holds of the whole system.` : "";
    return [
      h(
        "div.premise-cards",
        {},
        premises.map((p, i) =>
          h(
            "div",
            { class: `premise-card ${p.verdict}`, "data-verdict": p.verdict },
            h("b", {}, words[i], " "),
            h("span.verdict", {}, h("span.verdict-icon", { "aria-hidden": "true" }, icon(p.verdict)), ` ${p.verdict === "holds" ? "yes" : p.verdict === "violated" ? "no" : `unknown: ${p.reason}`}`),
            h("p.facts", {}, `Premise ${i + 1}: ${p.says}`),
            p.run && h("ol", {}, p.run.steps.slice(0, 200).map((step) => h("li", {}, step.label))),
            p.run && h("button.small", { onclick: () => this.explore(`Premise ${i + 1}`, p.run!) }, "Step through it"),
          ),
        ),
      ),
      both && h("p.note.good", {}, both),
    ];
  }
}

/** The components that an assumption is about. */
function standsFor(claim: ClaimReport): string[] {
  const system = store.selected?.job.result?.report?.system;
  if (!system) return [];
  const names = (which: number[]) => which.map((i) => system.components[i]!.name);
  if (claim.so_far && !(claim.assumptions ?? []).length) return names(claim.so_far.components);
  const last = (claim.premises ?? []).find((p) => p.guarantee.kind === "property");
  if (!last) return [];
  const rest = system.components.map((_, i) => i).filter((i) => !last.components.includes(i) && system.components[i]!.kind === "process");
  return names(rest);
}

/** An automaton as an FSP process. */
function process(automaton: Automaton): string {
  // The label `c.1.get` is written `c[1].get`.
  const written = (label: string) => label.replace(/\.(\d+)(?=\.|$)/g, "[$1]");
  const used = new Set(automaton.edges.map((e) => e.label));
  const state = (number: number) => {
    const edges = automaton.edges.filter((e) => e.source === number);
    const choices = edges.map((e) => `${written(e.label)} -> Q${e.target}`);
    return `Q${number} = ${choices.length ? `(${choices.join("\n    | ")})` : "STOP"}`;
  };
  const states = Array.from({ length: automaton.states }, (_, i) => state(i));
  const unused = (automaton.alphabet ?? []).filter((l) => !used.has(l)).map(written);
  return `A = Q${automaton.initial},\n${states.join(",\n")}${unused.length ? `\n  + {${unused.join(", ")}}` : ""}.\n`;
}

export function automata(claim: ClaimReport | undefined): Automaton[] {
  if (!claim) return [];
  const own = claim.assumptions ?? [];
  return own.length || !claim.so_far ? own : [claim.so_far.assumption];
}

/** What a state stands for, and how it is left. */
function about(automaton: Automaton, state: number | null): Child {
  if (state === null) return null;
  const node = automaton.nodes?.[state];
  const out = automaton.edges.filter((e) => e.source === state);
  const back = way(automaton, state);
  return [
    h("h3", {}, `State ${state}`),
    node && h("p", {}, `stands for ${plural(node.count, "concrete state")}: `, node.examples.join(", "), node.count > node.examples.length ? ", …" : ""),
    h("p", {}, h("b", {}, "reached by "), back === null ? "nothing" : back.length ? back.join(" → ") : "the start"),
    h("p", {}, h("b", {}, "allows "), out.length ? out.map((e) => `${e.label} → ${e.target}`).join(", ") : "nothing"),
  ];
}

/** A shortest word that leads to a state. */
function way(automaton: Automaton, state: number): string[] | null {
  const from = new Map<number, { state: number; label: string } | null>([[automaton.initial, null]]);
  const queue = [automaton.initial];
  for (const at of queue) {
    if (at === state) break;
    for (const edge of automaton.edges) {
      if (edge.source !== at || from.has(edge.target)) continue;
      from.set(edge.target, { state: at, label: edge.label });
      queue.push(edge.target);
    }
  }
  if (!from.has(state)) return null;
  const word: string[] = [];
  for (let at = from.get(state); at; at = from.get(at.state)) word.unshift(at.label);
  return word;
}

/** How it grew, round by round. */
function rounds(claim: ClaimReport): Child {
  const all = claim.rounds ?? [];
  if (all.length === 0) return null;
  const most = Math.max(...all.map((r) => r.assumption_states));
  const bar = (size: number) => s("svg.bar", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" }, s("rect", { width: Math.max(2, (size / most) * 100), height: 10, rx: 2 }));
  return h(
    "div.rounds",
    {},
    h("h3", {}, `Found in ${plural(all.length, "round")}`),
    h("ol", {}, all.slice(0, 400).map((r) => h("li", {}, bar(r.assumption_states), h("span", {}, plural(r.assumption_states, "state")), h("span.hint", {}, r.refined || "it is enough")))),
  );
}
