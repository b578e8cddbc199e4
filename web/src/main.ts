// The workbench: models on the left, the editor in the middle, results on the right.

import "./style.css";
import { get, hasToken, listen, setToken, type Example, type Hello } from "./api";
import { AssumptionPanel } from "./assumption";
import { CertificatePanel } from "./certificate";
import { CheckPanel } from "./check";
import { announce, h, plural, replace } from "./dom";
import { Editor } from "./editor";
import { ExplorePanel } from "./explore";
import { FilesPanel, openExample } from "./files";
import { store } from "./store";
import { tour } from "./tour";

const TABS = [
  ["check", "Check"],
  ["explore", "Explore"],
  ["assumption", "Assumption"],
  ["certificate", "Certificate"],
] as const;

function theme(): void {
  const kept = localStorage.getItem("theme");
  if (kept === "dark" || kept === "light") document.documentElement.dataset.theme = kept;
}

function switchTheme(): void {
  const dark = document.documentElement.dataset.theme === "dark" || (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("theme", dark ? "light" : "dark");
}

async function start(): Promise<void> {
  theme();
  const app = document.getElementById("app")!;
  if (!hasToken()) {
    askForToken(app, "");
    return;
  }
  try {
    const [hello, examples, files] = await Promise.all([get<Hello>("/api/hello"), get<Example[]>("/api/examples"), get<{ files: string[] }>("/api/files")]);
    store.hello = hello;
    store.examples = examples;
    store.files = files.files;
  } catch (error) {
    askForToken(app, (error as Error).message);
    return;
  }
  build(app);
}

function askForToken(app: HTMLElement, why: string): void {
  const input = h("input", { type: "password", "aria-label": "Token", placeholder: "token", autocomplete: "off" });
  const enter = (event: Event) => {
    event.preventDefault();
    setToken(input.value.trim());
    location.hash = input.value.trim();
    void start();
  };
  replace(app, h("form.token", { onsubmit: enter }, h("h1", {}, "Suppose"), h("p", {}, "This page needs the secret that ", h("code", {}, "suppose serve"), " printed: open that address, or type the part after #."), why && h("p.bad", {}, why), input, h("button.primary", {}, "Open")));
  input.focus();
}

function build(app: HTMLElement): void {
  const editorPlace = h("div.editor-place");
  const editor = new Editor(editorPlace);
  const tabs = h("div.tabs", { role: "tablist", "aria-label": "Results" });
  const panels: Record<string, HTMLElement> = {};
  // On a narrow screen one of three is seen.
  const views = Object.entries({ files: "Models", editor: "Text", results: "Results" }).map(([view, title]) => h("button.segment", { "data-shows": view, onclick: () => look(view) }, title));
  const narrow = h("div.narrow-switch", { role: "group", "aria-label": "View" }, views);
  const look = (view: string) => {
    document.body.dataset.view = view;
    for (const button of views) button.setAttribute("aria-pressed", String(button.dataset.shows === view));
  };
  const open = (name: string) => {
    for (const [tab] of TABS) {
      panels[tab]!.hidden = tab !== name;
      const button = tabs.querySelector(`.tab-${tab}`)!;
      button.setAttribute("aria-selected", String(tab === name));
      button.setAttribute("tabindex", tab === name ? "0" : "-1");
    }
    look("results");
  };
  panels.check = new CheckPanel(open).element;
  const explore = new ExplorePanel(editor);
  panels.explore = explore.element;
  panels.assumption = new AssumptionPanel((title, run) => {
    explore.show(title, run);
    open("explore");
  }).element;
  panels.certificate = new CertificatePanel().element;
  const files = new FilesPanel();
  for (const [name, title] of TABS) {
    panels[name]!.id = `panel-${name}`;
    panels[name]!.setAttribute("role", "tabpanel");
    tabs.append(h("button", { class: `tab tab-${name}`, role: "tab", "aria-controls": `panel-${name}`, onclick: () => open(name) }, title));
  }
  tabs.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    const now = TABS.findIndex(([name]) => !panels[name]!.hidden);
    const next = TABS[(now + step + TABS.length) % TABS.length]![0];
    open(next);
    tabs.querySelector<HTMLElement>(`.tab-${next}`)!.focus();
  });
  const fileName = h("span.file-name");
  const languageChip = h("span.badge");
  const save = h("button.small", { id: "save", onclick: () => void keep() }, "Save");
  const problems = h("div.problems", { role: "status" });
  replace(
    app,
    h(
      "header.top",
      {},
      h("button.icon.menu", { "aria-label": "Models", title: "Models", onclick: () => document.body.classList.toggle("files-closed") }, "☰"),
      h("a.brand", { href: "#", onclick: (event: Event) => event.preventDefault() }, h("img", { src: "/icon.svg", alt: "", width: 22, height: 22 }), "Suppose"),
      fileName,
      languageChip,
      save,
      h("span.grow"),
      h("span.offline", { role: "alert", hidden: true }, "The server is gone. Start suppose serve again."),
      h("button.small", { id: "tour", onclick: () => tour(open) }, "Tour"),
      h("button.icon", { "aria-label": "Light or dark", title: "Light or dark", onclick: switchTheme }, "◐"),
    ),
    narrow,
    h("main.bench", {}, files.element, h("div.middle", {}, editorPlace, problems), h("div.divider", { role: "separator", "aria-orientation": "vertical", "aria-label": "Width of the results" }), h("div.right", {}, tabs, ...Object.values(panels))),
    h("div", { id: "toasts", role: "status", "aria-live": "polite" }),
  );
  open("check");
  look("editor");
  divide(app.querySelector<HTMLElement>(".divider")!);

  const drawHead = () => {
    fileName.textContent = store.document.name + (store.isChanged() ? " •" : "");
    languageChip.textContent = store.language()?.title.replace(/^an? /, "") ?? "";
    languageChip.hidden = !languageChip.textContent;
    const inFolder = store.hello.folder !== null && (store.hello.only === null || store.hello.only === store.document.name);
    save.hidden = !inFolder;
    save.disabled = store.document.hash !== null && !store.isChanged();
    document.title = `${store.document.name} – Suppose`;
  };
  const drawProblems = () => {
    const told = store.outline.failure?.diagnostics ?? [];
    const claims = store.outline.claims;
    replace(
      problems,
      told.length
        ? told.slice(0, 5).map((d) => h("button.problem", { onclick: () => editor.goToLine(d.line ?? 1, d.column ?? 1) }, h("span.bad", {}, "✗ "), d.line ? `${d.line}:${d.column ?? 1} ` : "", d.message))
        : claims && h("span.hint", {}, `✓ ${plural(claims.length, "claim")}`, (store.outline.components ?? []).length ? `, ${plural(store.outline.components!.length, "component")}` : "", (store.outline.warnings ?? []).length ? `, ${plural(store.outline.warnings!.length, "warning")}` : ""),
    );
  };
  let saving = false;
  async function keep(): Promise<void> {
    if (store.hello.folder === null || saving) return;
    saving = true;
    try {
      if (store.document.hash === null) {
        const name = prompt("Save in the folder as", store.document.name);
        if (!name) return;
        store.document.name = name;
      }
      await store.save();
      announce(`saved ${store.document.name}`);
      drawHead();
    } catch (error) {
      announce((error as Error).message, "bad");
    } finally {
      saving = false;
    }
  }
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey)) return;
    if (event.key === "s") {
      event.preventDefault();
      void keep();
    } else if (event.key === "Enter" && !(event.target as HTMLElement).closest(".cm-editor")) {
      document.dispatchEvent(new Event("suppose-check"));
    }
  });
  addEventListener("beforeunload", (event) => {
    if (store.isChanged() || store.drafts.length > 0) event.preventDefault();
  });
  store.on("document", drawHead);
  store.on("document", () => look("editor"));
  store.on("text", drawHead);
  store.on("outline", () => {
    drawHead();
    drawProblems();
  });
  store.on("document", drawProblems);
  const offline = app.querySelector<HTMLElement>(".offline")!;
  void listen(
    (event) => void store.hear(event),
    (is) => (offline.hidden = is),
  );
  files.draw();
  const first = store.hello.only ?? null;
  const example = store.examples[0];
  if (first) void store.openFile(first);
  else if (store.files.length === 1) void store.openFile(store.files[0]!);
  else if (example) openExample(example);
  if (!localStorage.getItem("seen")) {
    localStorage.setItem("seen", "1");
    announce("New here? Press Tour.");
  }
}

/** The width of the results follows the mouse, or the arrow keys. */
function divide(divider: HTMLElement): void {
  const set = (part: number) => {
    const share = Math.min(0.75, Math.max(0.25, part));
    document.documentElement.style.setProperty("--right", `${(share * 100).toFixed(1)}%`);
    localStorage.setItem("right", String(share));
  };
  const kept = Number(localStorage.getItem("right"));
  if (kept > 0) set(kept);
  divider.tabIndex = 0;
  divider.addEventListener("pointerdown", (event) => {
    divider.setPointerCapture(event.pointerId);
    const move = (e: PointerEvent) => set(1 - e.clientX / innerWidth);
    divider.addEventListener("pointermove", move);
    divider.addEventListener("pointerup", () => divider.removeEventListener("pointermove", move), { once: true });
  });
  divider.addEventListener("keydown", (event) => {
    const now = Number(localStorage.getItem("right")) || 0.46;
    if (event.key === "ArrowLeft") set(now + 0.03);
    if (event.key === "ArrowRight") set(now - 0.03);
  });
}

void start();
