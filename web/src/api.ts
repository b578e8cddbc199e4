// The server: requests with the token, and the stream of events.

export interface Engine {
  name: string;
  summary: string;
  decides: string[];
  assumes: boolean;
}

export interface Language {
  name: string;
  title: string;
  endings: string[];
  simulates: boolean;
  assumes: boolean;
  engines: Engine[];
}

export interface Hello {
  version: string;
  folder: string | null;
  only: string | null;
  seconds: number | null;
  memory: number | null;
  languages: Language[];
}

export interface Diagnostic {
  severity: string;
  message: string;
  file?: string | null;
  line?: number | null;
  column?: number | null;
  expected?: string | null;
  help?: string[];
}

export interface Failure {
  error: string;
  diagnostics: Diagnostic[];
}

export interface Outline {
  language?: string;
  claims?: string[];
  undecided?: [string, string][];
  components?: string[];
  warnings?: string[];
  failure?: Failure;
}

export interface Text {
  name: string;
  text: string;
}

export interface Model {
  name: string;
  text: string;
  stored: boolean;
  properties?: Text;
  spec?: Text;
}

export interface Question {
  claims?: string[];
  deadlock?: boolean;
  engine?: string;
  components?: string[];
  split?: string;
  seconds?: number;
}

export interface Progress {
  task: string;
  phase: string;
  states: number;
  transitions: number;
  round: number;
  size: number;
  seconds: number;
}

export interface Example {
  group: string;
  title: string;
  about: string;
  name: string;
  text: string;
  properties?: Text;
  spec?: Text;
}

export class Problem extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The secret is in the part of the address that browsers keep to themselves. */
let token = location.hash.slice(1);

/** A page that is loaded again is the same page. */
export const page = (() => {
  const known = sessionStorage.getItem("page");
  if (known) return known;
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  const made = Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
  sessionStorage.setItem("page", made);
  return made;
})();

export function setToken(text: string): void {
  token = text;
}

export function hasToken(): boolean {
  return token.length > 0;
}

export async function ask(
  path: string,
  options: { method?: string; body?: unknown; signal?: AbortSignal } = {},
): Promise<Response> {
  const response = await fetch(path, {
    method: options.method ?? (options.body === undefined ? "GET" : "POST"),
    headers: { "x-suppose-token": token, "content-type": "application/json" },
    body: options.body === undefined ? undefined : JSON.stringify(options.body),
    signal: options.signal,
    cache: "no-store",
  });
  if (!response.ok) {
    let why = response.statusText;
    try {
      why = (await response.json()).error ?? why;
    } catch {
      // Not an answer of ours.
    }
    throw new Problem(response.status, why);
  }
  return response;
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await ask(path, { signal })).json() as Promise<T>;
}

export async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return (await ask(path, { body, signal })).json() as Promise<T>;
}

export type JobEvent =
  | { job: number; state: "running"; progress: Progress }
  | { job: number; state: "done" };

/** Reads events for ever; comes back after an interruption. */
export async function listen(
  on: (event: JobEvent) => void,
  connected: (is: boolean) => void,
): Promise<never> {
  for (;;) {
    try {
      const response = await ask(`/api/events?page=${page}`);
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      connected(true);
      let rest = "";
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        const lines = (rest + value).split("\n");
        rest = lines.pop()!;
        for (const line of lines) {
          const event = JSON.parse(line);
          if ("job" in event) on(event);
        }
      }
    } catch {
      // The server is gone, or was not there yet.
    }
    connected(false);
    await new Promise((wake) => setTimeout(wake, 1000));
  }
}
