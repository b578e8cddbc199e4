// What the page knows: the open model, what its front-end says of it, and the results so far.

import { ask, get, page, post, type Example, type Hello, type JobEvent, type Language, type Model, type Outline, type Progress, type Question, type Text } from "./api";
import { announce } from "./dom";

export interface Document {
  /** The name tells the language. */
  name: string;
  text: string;
  /** The hash of the file on the disk; none for a text that is no file of the folder. */
  hash: string | null;
  saved: string;
  properties?: Text;
  spec?: Text;
}

export interface ClaimResult {
  name: string;
  verdict: "holds" | "violated" | "unknown";
  reason: string | null;
  engine: string;
  certified: boolean;
  run: boolean;
  why_no_run: string | null;
}

export interface Edge {
  source: number;
  target: number;
  label: string;
  probability?: string;
}

export interface Automaton {
  states: number;
  initial: number;
  alphabet?: string[];
  edges: Edge[];
  nodes?: { count: number; examples: string[] }[];
}

export interface ClaimReport {
  kind: string;
  name: string;
  verdict: string;
  reason: string | null;
  engine: { name: string; why: string };
  states?: number;
  transitions?: number;
  groups?: number[][];
  rounds?: { number: number; assumption_states: number; alphabet: number; states: number; refined: string }[];
  assumptions?: Automaton[];
  premises?: { components: number[]; assumptions: number[]; guarantee: { kind: string; number?: number }; vectors?: number }[];
  so_far?: { components: number[]; assumption: Automaton } | null;
  evidence?: { status: string; reason: string | null; file: string | null };
  [more: string]: unknown;
}

export interface Result {
  claims?: ClaimResult[];
  last_line?: string;
  text?: string;
  warnings?: string[];
  failure_text?: string | null;
  bug?: string | null;
  report?: {
    claims: ClaimReport[];
    system?: { name: string; components: { name: string; kind: string; states: number }[]; properties: { name: string }[] };
    timing?: { elapsed_seconds: number; claims_seconds: number[]; peak_memory_bytes: number | null };
    [more: string]: unknown;
  };
  failure?: { diagnostics: { message: string; help?: string[]; line?: number | null }[] };
}

export interface Job {
  id: number;
  kind: "check" | "assume";
  question: Question;
  model: Model;
  begun: Date;
  progress?: Progress;
  /** States per second, over the last while. */
  rates: number[];
  cancelled: boolean;
  result?: Result;
}

type Topic = "document" | "text" | "outline" | "jobs" | "selection" | "files" | "connection";

class Store {
  hello!: Hello;
  examples: Example[] = [];
  files: string[] = [];
  document: Document = { name: "untitled.lts", text: "", hash: null, saved: "" };
  /** Texts that were left before they were saved, the last one first. */
  drafts: Document[] = [];
  outline: Outline = {};
  jobs: Job[] = [];
  /** The result that the other panels are about. */
  selected: { job: Job; claim: string } | null = null;
  connected = true;

  private listeners = new Map<Topic, (() => void)[]>();

  on(topic: Topic, listener: () => void): void {
    const known = this.listeners.get(topic) ?? [];
    this.listeners.set(topic, [...known, listener]);
  }

  tell(topic: Topic): void {
    for (const listener of this.listeners.get(topic) ?? []) listener();
  }

  language(): Language | undefined {
    const detected = this.outline.language;
    if (detected) return this.hello.languages.find((l) => l.name === detected);
    return this.byName(this.document.name);
  }

  byName(name: string): Language | undefined {
    const ending = name.split(".").pop()!.toLowerCase();
    return this.hello.languages.find((l) => l.endings.includes(ending));
  }

  model(): Model {
    const { name, text, hash, properties, spec } = this.document;
    return { name, text, stored: hash !== null, properties, spec };
  }

  isChanged(): boolean {
    return this.document.text !== this.document.saved;
  }

  open(document: Document): void {
    this.drafts = this.drafts.filter((d) => d !== document);
    if (this.isChanged() && this.document !== document) this.drafts = [this.document, ...this.drafts];
    this.document = document;
    this.outline = {};
    this.selected = null;
    this.tell("document");
    this.tell("selection");
  }

  async openFile(path: string): Promise<void> {
    const file = await get<{ text: string; hash: string }>(`/api/file?path=${encodeURIComponent(path)}`);
    const document: Document = { name: path, text: file.text, hash: file.hash, saved: file.text };
    // Properties of a probabilistic model are usually in a file of the same name.
    const stem = path.replace(/\.[^.]*$/, "");
    const beside = this.files.find((f) => f === `${stem}.pctl` || f === `${stem}.props`);
    if (beside && this.byName(path)?.name === "prism") {
      const properties = await get<{ text: string }>(`/api/file?path=${encodeURIComponent(beside)}`);
      document.properties = { name: beside, text: properties.text };
    }
    this.open(document);
  }

  async save(): Promise<void> {
    const { name, text, hash } = this.document;
    const response = await ask("/api/file", { method: "PUT", body: { path: name, text, was: hash } });
    const { hash: now } = (await response.json()) as { hash: string };
    this.document.hash = now;
    this.document.saved = text;
    if (!this.files.includes(name)) this.files = [...this.files, name].sort();
    this.tell("files");
    this.tell("text");
  }

  async begin(kind: "check" | "assume", question: Question): Promise<Job | null> {
    const model = this.model();
    try {
      const { job } = await post<{ job: number }>("/api/jobs", { page, kind, model, question });
      const made: Job = { id: job, kind, question, model, begun: new Date(), rates: [], cancelled: false };
      this.jobs = [made, ...this.jobs];
      this.tell("jobs");
      // A short job can be over before its number is known here.
      if (this.over.has(job)) void this.hear({ job, state: "done" });
      return made;
    } catch (error) {
      announce((error as Error).message, "bad");
      return null;
    }
  }

  async stop(job: Job): Promise<void> {
    job.cancelled = true;
    this.tell("jobs");
    await ask(`/api/jobs/${job.id}`, { method: "DELETE" }).catch(() => undefined);
  }

  private waiting = new Map<number, () => void>();
  private over = new Set<number>();

  /** Waits until a job has ended that is not in the list. */
  ended(job: number): Promise<void> {
    if (this.over.has(job)) return Promise.resolve();
    return new Promise((wake) => this.waiting.set(job, wake));
  }

  async hear(event: JobEvent): Promise<void> {
    if (event.state === "done") {
      this.over.add(event.job);
      this.waiting.get(event.job)?.();
      this.waiting.delete(event.job);
    }
    const job = this.jobs.find((j) => j.id === event.job);
    if (!job || job.result) return;
    if (event.state === "running") {
      const before = job.progress;
      if (before && event.progress.seconds > before.seconds && event.progress.states >= before.states) {
        const rate = (event.progress.states - before.states) / (event.progress.seconds - before.seconds);
        job.rates = [...job.rates.slice(-59), rate];
      }
      job.progress = event.progress;
      this.tell("jobs");
      return;
    }
    try {
      job.result = await get<Result>(`/api/jobs/${job.id}`);
    } catch (error) {
      job.result = { failure: { diagnostics: [{ message: (error as Error).message }] } };
    }
    this.tell("jobs");
    if (!this.selected || this.selected.job.id < job.id) this.selectFirst(job);
  }

  /** The claim that one would look at first. */
  private selectFirst(job: Job): void {
    const claims = job.result?.claims ?? [];
    const best = claims.find((c) => c.verdict === "violated") ?? claims.find((c) => c.verdict === "holds") ?? claims[0];
    if (best) this.select(job, best.name);
  }

  select(job: Job, claim: string): void {
    this.selected = { job, claim };
    this.tell("selection");
  }

  /** What the report says of the selected claim. */
  claimReport(): ClaimReport | undefined {
    const chosen = this.selected;
    return chosen?.job.result?.report?.claims.find((c) => c.name === chosen.claim);
  }

  claimResult(): ClaimResult | undefined {
    const chosen = this.selected;
    return chosen?.job.result?.claims?.find((c) => c.name === chosen.claim);
  }
}

export const store = new Store();
