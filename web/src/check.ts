// Check: choose a property and an engine, watch, and compare what came of it.

import { announce, duration, grouped, h, plural, replace, s, type Child } from "./dom";
import { store, type ClaimReport, type ClaimResult, type Job } from "./store";
import type { Question } from "./api";

export class CheckPanel {
  readonly element = h("section.panel", { "aria-label": "Check" });
  private claims = new Set<string>();
  private engine = "auto";
  private second = "";
  private typed = "";
  private split = "";
  private ask = h("div.ask");
  private results = h("div.results", { "aria-live": "polite" });

  constructor(private open: (tab: string) => void) {
    this.element.append(this.ask, this.results);
    store.on("document", () => {
      this.claims.clear();
      this.typed = "";
      this.split = "";
      this.engine = "auto";
      this.second = "";
      this.drawAsk();
      this.drawResults();
    });
    store.on("outline", () => this.drawAsk());
    store.on("jobs", () => this.drawResults());
    store.on("selection", () => this.drawResults());
    document.addEventListener("suppose-check", () => void this.check());
  }

  private question(engine: string): Question {
    const claims = [...this.claims];
    if (this.typed.trim()) claims.push(this.typed.trim());
    // Deadlock has an option of its own on networks and programs.
    const deadlock = claims.includes("deadlock") || claims.includes("Freedom from deadlock");
    const named = claims.filter((c) => c !== "deadlock" && c !== "Freedom from deadlock");
    const split = this.canSplit(engine) ? this.split.trim() : "";
    return { claims: named, deadlock, engine: engine === "auto" ? undefined : engine, split: split || undefined };
  }

  /** Does the engine check groups of components, which can be chosen? */
  private canSplit(engine: string): boolean {
    const network = ["fsp", "aut", "json"].includes(store.language()?.name ?? "");
    return network && ["agar", "learn"].includes(engine);
  }

  async check(): Promise<void> {
    if (!store.document.text.trim()) {
      announce("there is no model yet: open an example, or type one");
      return;
    }
    await store.begin("check", this.question(this.engine));
    if (this.second) await store.begin("check", this.question(this.second));
    this.open("check");
  }

  private async assume(): Promise<void> {
    const question = this.question(this.engine);
    await store.begin("assume", { claims: question.claims });
  }

  private drawAsk(): void {
    const language = store.language();
    const outline = store.outline;
    const known = outline.claims ?? [];
    for (const claim of this.claims) if (!known.includes(claim)) this.claims.delete(claim);
    const chip = (name: string | null) => {
      const on = name === null ? this.claims.size === 0 : this.claims.has(name);
      const choose = () => {
        if (name === null) this.claims.clear();
        else if (on) this.claims.delete(name);
        else this.claims.add(name);
        this.drawAsk();
      };
      return h("button.chip", { "aria-pressed": String(on), onclick: choose, title: name ?? "Every claim of the model" }, name ?? "everything");
    };
    const engines = language?.engines ?? [];
    const select = (label: string, value: string, none: boolean, change: (v: string) => void) =>
      h(
        "label.field",
        {},
        h("span", {}, label),
        h(
          "select",
          { onchange: (event: Event) => change((event.target as HTMLSelectElement).value) },
          none && h("option", { value: "", selected: value === "" }, "nothing"),
          engines.map((e) => h("option", { value: e.name, selected: e.name === value }, e.name)),
        ),
      );
    const chosen = engines.find((e) => e.name === this.engine);
    const broken = outline.failure;
    const canAssume = language?.assumes && ["fsp", "aut", "json", "promela"].includes(language.name);
    const prism = language?.name === "prism";
    replace(
      this.ask,
      h("div.ask-row", {}, h("h3", {}, "Property"), h("div.chips", { role: "group", "aria-label": "Properties" }, chip(null), known.slice(0, 200).map(chip))),
      prism &&
        h(
          "label.field.wide",
          {},
          h("span", {}, "or type one"),
          h("input", {
            value: this.typed,
            placeholder: 'P>=0.5 [ F "done" ]',
            spellcheck: "false",
            oninput: (event: Event) => (this.typed = (event.target as HTMLInputElement).value),
          }),
        ),
      (outline.undecided ?? []).length > 0 &&
        h("p.hint", {}, "not decided by any engine: ", (outline.undecided ?? []).map(([name]) => name).join(", ")),
      h(
        "div.ask-row.engines",
        {},
        select("Engine", this.engine, false, (v) => {
          this.engine = v;
          this.drawAsk();
        }),
        select("Compare with", this.second, true, (v) => {
          this.second = v;
          this.drawAsk();
        }),
      ),
      chosen && h("p.hint", {}, chosen.summary),
      this.canSplit(this.engine) &&
        h(
          "label.field.wide",
          {},
          h("span", {}, "Split"),
          h("input", {
            value: this.split,
            placeholder: "auto, or groups of components: A,B/C",
            spellcheck: "false",
            oninput: (event: Event) => (this.split = (event.target as HTMLInputElement).value),
          }),
        ),
      h(
        "div.actions",
        {},
        h("button.primary", { id: "check", onclick: () => void this.check(), disabled: Boolean(broken), title: "Ctrl + Enter" }, "Check"),
        canAssume && h("button", { id: "assume", onclick: () => void this.assume(), disabled: Boolean(broken) }, "Find the smallest assumption"),
        broken && h("span.hint.bad", {}, "The model has an error: see the editor."),
      ),
    );
  }

  private drawResults(): void {
    const jobs = store.jobs;
    if (jobs.length === 0) {
      replace(
        this.results,
        h(
          "div.empty",
          {},
          h("p", {}, "Results appear here, with their evidence, and stay so that you can compare them."),
          h("p.hint", {}, "Every verdict is checked by an independent checker before it is shown."),
        ),
      );
      return;
    }
    const running = jobs.filter((j) => !j.result);
    const done = jobs.filter((j) => j.result);
    replace(
      this.results,
      running.map((j) => this.running(j)),
      done.length > 0 && h("h3.history-title", {}, "Results"),
      done.map((j) => this.finished(j)),
    );
  }

  private running(job: Job): HTMLElement {
    const progress = job.progress;
    const limit = store.hello.seconds;
    const rate = job.rates[job.rates.length - 1] ?? 0;
    const facts: string[] = [];
    if (progress && progress.states > 0) facts.push(`${grouped(progress.states)} states`, `${grouped(rate)} states/s`);
    if (progress && progress.round > 0) facts.push(`round ${progress.round}, assumption of ${plural(progress.size, "state")}`);
    if (progress) facts.push(duration(progress.seconds) + (limit ? ` of at most ${duration(limit)}` : ""));
    return h(
      "article.card.running",
      { "data-job": job.id },
      h("header", {}, h("span.spinner", { "aria-hidden": "true" }), h("strong", {}, title(job)), h("button.small", { onclick: () => void store.stop(job), disabled: job.cancelled }, job.cancelled ? "Stopping…" : "Stop")),
      h("p.progress-line", {}, [progress?.task, progress?.phase].filter(Boolean).join(" · ") || "starting"),
      spark(job.rates),
      h("p.facts", {}, facts.join("  ·  ")),
    );
  }

  private finished(job: Job): HTMLElement {
    const result = job.result!;
    const report = result.report;
    const time = job.begun.toLocaleTimeString();
    const body: Child[] = [];
    if (result.failure) {
      for (const told of result.failure.diagnostics) {
        body.push(h("p.bad", {}, told.message, (told.help ?? []).map((help) => h("span.hint", {}, ` ${help}`))));
      }
    }
    for (const claim of result.claims ?? []) {
      const more = report?.claims.find((c) => c.name === claim.name);
      body.push(this.claim(job, claim, more));
    }
    if (result.failure_text) body.push(h("pre.bad", {}, result.failure_text));
    if (result.bug) body.push(h("pre.bad", {}, result.bug));
    const warnings = result.warnings ?? [];
    if (warnings.length) body.push(h("details", {}, h("summary", {}, plural(warnings.length, "warning")), h("ul", {}, warnings.map((w) => h("li", {}, w)))));
    const stale = job.model.text !== store.document.text || job.model.name !== store.document.name;
    return h(
      "article.card",
      { "data-job": job.id },
      h(
        "header",
        {},
        h("strong", {}, title(job)),
        h("span.hint", {}, `${time}${report?.timing ? ` · ${duration(report.timing.elapsed_seconds)}` : ""}`),
        stale && h("span.badge", { title: "The model was changed since" }, job.model.name === store.document.name ? "older text" : job.model.name),
        report && h("details.text-output", {}, h("summary", {}, "as text"), h("pre", {}, result.text ?? "")),
      ),
      body,
    );
  }

  private claim(job: Job, claim: ClaimResult, more: ClaimReport | undefined): HTMLElement {
    const selected = store.selected?.job === job && store.selected.claim === claim.name;
    const go = (tab: string) => () => {
      store.select(job, claim.name);
      this.open(tab);
    };
    const assumption = (more?.assumptions ?? []).length > 0 || Boolean(more?.so_far);
    const seconds = this.seconds(job, claim.name);
    const facts = [
      more?.states ? plural(more.states, "state") : "",
      more?.transitions ? plural(more.transitions, "transition") : "",
      (more?.rounds ?? []).length ? plural(more!.rounds!.length, "round") : "",
      seconds !== undefined ? duration(seconds) : "",
    ].filter(Boolean);
    return h(
      "div.claim",
      { class: `claim ${claim.verdict}${selected ? " selected" : ""}`, "data-claim": claim.name, "data-verdict": claim.verdict },
      h(
        "button.claim-name",
        { onclick: () => store.select(job, claim.name), "aria-pressed": String(selected) },
        h("span.verdict-icon", { "aria-hidden": "true" }, icon(claim.verdict)),
        h("span.name", {}, claim.name),
        h("span.verdict", {}, claim.reason ? `${claim.verdict}: ${claim.reason}` : claim.verdict),
      ),
      h("p.facts", {}, h("b", {}, claim.engine), more?.engine.why ? `, ${more.engine.why}` : "", facts.length ? `  ·  ${facts.join("  ·  ")}` : ""),
      claim.why_no_run && h("p.hint", {}, claim.why_no_run),
      h(
        "div.claim-actions",
        {},
        claim.run && h("button.small", { onclick: go("explore") }, "Step through the counterexample"),
        assumption && h("button.small", { onclick: go("assumption") }, "See the assumption"),
        claim.certified && job.kind === "check" && h("button.small", { onclick: go("certificate") }, claim.verdict === "violated" ? "Evidence ✓" : "Certificate ✓"),
      ),
    );
  }

  private seconds(job: Job, claim: string): number | undefined {
    const report = job.result?.report;
    const at = report?.claims.findIndex((c) => c.name === claim) ?? -1;
    return at < 0 ? undefined : report?.timing?.claims_seconds[at];
  }
}

function title(job: Job): string {
  const what = [...(job.question.claims ?? []), ...(job.question.deadlock ? ["deadlock"] : [])];
  const verb = job.kind === "assume" ? "Smallest assumption" : "Check";
  const by = job.question.engine ? ` by ${job.question.engine}` : "";
  return `${verb}${what.length ? ` of ${what.join(", ")}` : ""}${by}`;
}

export function icon(verdict: string): string {
  return verdict === "holds" ? "✓" : verdict === "violated" ? "✗" : "?";
}

/** A line of the last rates. */
function spark(rates: number[]): SVGElement {
  const most = Math.max(1, ...rates);
  const points = rates.map((rate, at) => `${(at * 240) / Math.max(59, rates.length - 1)},${30 - (rate / most) * 28}`);
  return s("svg.spark", { viewBox: "0 0 240 32", "aria-hidden": "true", preserveAspectRatio: "none" }, s("polyline", { points: points.join(" ") }));
}
