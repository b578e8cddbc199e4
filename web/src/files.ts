// What can be opened: the files of the folder, and the examples.

import { announce, h, replace, type Child } from "./dom";
import { store, type Document } from "./store";
import type { Example } from "./api";

export class FilesPanel {
  readonly element = h("nav.files", { "aria-label": "Models" });
  private filter = "";

  constructor() {
    store.on("files", () => this.draw());
    store.on("document", () => this.draw());
  }

  draw(): void {
    const { folder, only } = store.hello;
    const list = h("div.file-lists");
    const fill = () => {
      const wanted = this.filter.toLowerCase();
      const files = store.files.filter((f) => f.toLowerCase().includes(wanted));
      const groups = new Map<string, Example[]>();
      for (const example of store.examples) {
        if (!`${example.title} ${example.about} ${example.group}`.toLowerCase().includes(wanted)) continue;
        groups.set(example.group, [...(groups.get(example.group) ?? []), example]);
      }
      replace(
        list,
        store.drafts.length > 0 && [h("h3", {}, "Not saved"), store.drafts.map(draftButton)],
        folder !== null && h("h3", {}, only ?? folder),
        folder !== null && (files.length ? fileTree(files) : h("p.hint.none", {}, wanted ? "nothing matches" : "no models here")),
        h("h3", {}, "Examples"),
        [...groups].map(([group, examples]) => h("details", { open: wanted !== "" || examples.some((e) => e.name === store.document.name) || group === "FSP" }, h("summary", {}, group), examples.map(exampleButton))),
      );
    };
    const input = h("input.filter", {
      placeholder: "find a model",
      "aria-label": "Find a model",
      value: this.filter,
      oninput: (event: Event) => {
        this.filter = (event.target as HTMLInputElement).value;
        fill();
      },
    });
    replace(this.element, h("button.new-model", { onclick: () => newModel() }, "+ New model"), input, list);
    fill();
  }
}

function fileTree(files: string[]): Child {
  const folders = new Map<string, string[]>();
  for (const file of files) {
    const folder = file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : "";
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  const button = (file: string) =>
    h("button.file", { class: `file${file === store.document.name ? " open" : ""}`, onclick: () => leave(() => store.openFile(file)), title: file }, file.split("/").pop()!);
  return [...folders].map(([folder, inside]) => (folder === "" ? inside.map(button) : h("details", { open: folders.size <= 6 || inside.includes(store.document.name) }, h("summary", {}, folder), inside.slice(0, 500).map(button))));
}

function exampleButton(example: Example): HTMLElement {
  const open = store.document.name === example.name;
  return h("button.file.example", { class: `file example${open ? " open" : ""}`, onclick: () => leave(async () => openExample(example)), title: example.about }, h("span", {}, example.title), h("span.hint", {}, example.about));
}

export function openExample(example: Example): void {
  store.open({ name: example.name, text: example.text, hash: null, saved: example.text, properties: example.properties, spec: example.spec });
}

function draftButton(draft: Document): HTMLElement {
  return h("button.file.draft", { onclick: () => leave(async () => store.open(draft)), title: `${draft.name}, with changes that are not saved` }, draft.name);
}

/** Opens something else. A text that was changed and not saved stays in the list. */
async function leave(then: () => Promise<void>): Promise<void> {
  const before = store.document;
  try {
    await then();
    if (store.drafts[0] === before) announce(`${before.name} was changed: it is kept under “Not saved”`);
  } catch (error) {
    announce((error as Error).message, "bad");
  }
}

const TEMPLATES: Record<string, string> = {
  lts: "LIGHT = (red -> green -> LIGHT).\n\nproperty ALTERNATE = (red -> green -> ALTERNATE).\n\n||SYSTEM = (LIGHT || ALTERNATE).\n",
  pml: "byte n;\n\nactive [2] proctype P() {\n  do\n  :: n < 3 -> n++\n  :: n > 0 -> n--\n  od\n}\n\nltl small { [] (n <= 3) }\n",
  smv: "MODULE main\nVAR\n  n : 0..3;\nASSIGN\n  init(n) := 0;\n  next(n) := case n < 3 : n + 1; TRUE : 0; esac;\nINVARSPEC n <= 3\n",
  nm: "dtmc\n\nmodule coin\n  s : [0..2] init 0;\n  [] s=0 -> 1/2:(s'=1) + 1/2:(s'=2);\n  [] s>0 -> true;\nendmodule\n\nlabel \"heads\" = s=1;\n",
  c: "int main() {\n  int x = 0;\n  while (x < 10) {\n    x = x + 1;\n  }\n  assert(x == 10);\n  return 0;\n}\n",
  smt2: "(set-logic HORN)\n(declare-fun inv (Int) Bool)\n(assert (forall ((x Int)) (=> (= x 0) (inv x))))\n(assert (forall ((x Int)) (=> (and (inv x) (< x 10)) (inv (+ x 1)))))\n(assert (forall ((x Int)) (=> (and (inv x) (> x 10)) false)))\n(check-sat)\n",
};

function newModel(): void {
  const dialog = h(
    "dialog",
    { "aria-label": "New model" },
    h("h2", {}, "A new model in"),
    h(
      "div.template-list",
      {},
      Object.entries({ lts: "FSP", pml: "PROMELA", smv: "SMV", nm: "PRISM", c: "C", smt2: "Horn clauses" }).map(([ending, name]) =>
        h(
          "button",
          {
            onclick: () => {
              dialog.close();
              void leave(async () => store.open({ name: `untitled.${ending}`, text: TEMPLATES[ending]!, hash: null, saved: TEMPLATES[ending]! }));
            },
          },
          name,
        ),
      ),
    ),
    h("button.small", { onclick: () => dialog.close() }, "Cancel"),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
