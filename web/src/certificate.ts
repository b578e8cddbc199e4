// The certificate: check it again, see what was proved, keep it.

import { ask, post } from "./api";
import { announce, download, h, plural, replace, type Child } from "./dom";
import { icon } from "./check";
import { store, type ClaimReport, type Job } from "./store";

interface Judgement {
  accepted?: boolean;
  last_line?: string;
  text?: string;
  document?: { claims: { claim: string | null; verdict: string; accepted: boolean; reason: string | null; sizes: Record<string, unknown> | null }[] };
  failure?: { diagnostics: { message: string }[] };
}

export class CertificatePanel {
  readonly element = h("section.panel", { "aria-label": "Certificate" });
  private judged = new Map<number, Judgement>();

  constructor() {
    store.on("selection", () => this.draw());
    this.draw();
  }

  private async certify(job: Job): Promise<void> {
    try {
      this.judged.set(job.id, await post<Judgement>(`/api/jobs/${job.id}/certify`, {}));
    } catch (error) {
      announce((error as Error).message, "bad");
    }
    this.draw();
  }

  private async keep(job: Job, what: "certificate" | "report"): Promise<void> {
    try {
      const stem = job.model.name.split("/").pop()!.replace(/\.[^.]*$/, "");
      const blob = await (await ask(`/api/jobs/${job.id}/${what}`)).blob();
      download(what === "report" ? `${stem}.html` : `${stem}.cert`, blob);
    } catch (error) {
      announce((error as Error).message, "bad");
    }
  }

  private draw(): void {
    const chosen = store.selected;
    const claim = store.claimResult();
    if (!chosen || !claim || chosen.job.kind !== "check") {
      replace(this.element, h("div.empty", {}, h("p", {}, "Check a model first: every verdict comes with evidence that can be checked again, here or on another machine.")));
      return;
    }
    const job = chosen.job;
    const more = store.claimReport();
    const judged = this.judged.get(job.id);
    replace(
      this.element,
      h(
        "div.certificate-head",
        { class: `certificate-head ${claim.verdict}` },
        h("span.verdict-icon.big", { "aria-hidden": "true" }, icon(claim.verdict)),
        h("div", {}, h("h2", {}, claim.name), h("p", {}, `${claim.verdict} · decided by ${claim.engine} · evidence ${claim.certified ? "accepted by the independent checker" : "not accepted"}`)),
      ),
      h(
        "div.actions",
        {},
        h("button.primary", { id: "certify", onclick: () => void this.certify(job) }, judged ? "Check it again" : "Check the evidence again"),
        h("button", { onclick: () => void this.keep(job, "certificate") }, "Download the certificate"),
        h("button", { onclick: () => void this.keep(job, "report") }, "Download the report"),
      ),
      h("p.hint", {}, "The checker shares no code with the engines. On another machine: ", h("code", {}, `suppose certify FILE.cert ${job.model.name}`)),
      judged && this.judgement(judged),
      proof(more),
    );
  }

  private judgement(judged: Judgement): Child {
    if (judged.failure) return h("p.bad", {}, judged.failure.diagnostics.map((d) => d.message).join("; "));
    const row = (c: NonNullable<Judgement["document"]>["claims"][number]) =>
      h("tr", { "data-accepted": String(c.accepted) }, h("td", {}, c.accepted ? "✓" : "✗"), h("td", {}, c.claim ?? ""), h("td", {}, c.accepted ? c.verdict : (c.reason ?? "rejected")), h("td", {}, sizes(c.sizes)));
    return h(
      "div.judgement",
      { class: `judgement ${judged.accepted ? "holds" : "violated"}`, role: "status" },
      h("h3", {}, judged.accepted ? "Accepted" : "Not all of it is accepted"),
      h("table", {}, h("thead", {}, h("tr", {}, ["", "claim", "proved", "size"].map((w) => h("th", { scope: "col" }, w)))), h("tbody", {}, (judged.document?.claims ?? []).map(row))),
    );
  }
}

function sizes(all: Record<string, unknown> | null): string {
  if (!all) return "";
  return Object.entries(all)
    .filter(([, v]) => typeof v === "number" || typeof v === "string")
    .map(([name, value]) => `${name.replaceAll("_", " ")} ${value}`)
    .join(", ");
}

/** What was proved, premise by premise. */
function proof(more: ClaimReport | undefined): Child {
  const premises = more?.premises ?? [];
  if (!premises.length) return null;
  const system = store.selected?.job.result?.report?.system;
  const name = (i: number) => system?.components[i]?.name ?? `component ${i}`;
  const letter = (i: number) => ((more?.assumptions ?? []).length === 1 ? "A" : `A${i + 1}`);
  const guarantee = (g: { kind: string; number?: number }) => (g.kind === "assumption" ? letter(g.number ?? 0) : g.kind === "property" ? (system?.properties[g.number ?? 0]?.name ?? more!.name) : "no deadlock");
  return h(
    "div.proof",
    {},
    h("h3", {}, "Why it holds"),
    h(
      "ol.premises",
      {},
      premises.map((p) =>
        h(
          "li",
          {},
          h("span.premise-side", {}, p.assumptions.map((a) => h("b.assumption-letter", {}, letter(a), " ∥ ")), p.components.map(name).join(" ∥ ")),
          h("span.turnstile", { "aria-label": "guarantees" }, "⊨"),
          h("b", {}, guarantee(p.guarantee)),
          p.vectors !== undefined && h("span.hint", {}, ` a simulation relation of ${plural(p.vectors, "vector")}`),
        ),
      ),
    ),
  );
}
