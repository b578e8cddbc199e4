// The editor: colours, diagnostics of our own front-ends while one types, definitions, and the lines of a run.

import { autocompletion, closeBrackets, closeBracketsKeymap, completeAnyWord, completionKeymap, type CompletionSource } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { HighlightStyle, bracketMatching, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic as Mark } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers, rectangularSelection, type DecorationSet } from "@codemirror/view";
import { tags } from "@lezer/highlight";

import { post, type Diagnostic, type Outline } from "./api";
import { announce } from "./dom";
import { definition, keywordsOf, parsers } from "./languages";
import { store } from "./store";

const colours = HighlightStyle.define([
  { tag: tags.keyword, class: "tok-keyword" },
  { tag: tags.typeName, class: "tok-type" },
  { tag: tags.className, class: "tok-process" },
  { tag: tags.atom, class: "tok-atom" },
  { tag: tags.comment, class: "tok-comment" },
  { tag: tags.string, class: "tok-string" },
  { tag: tags.number, class: "tok-number" },
  { tag: tags.operator, class: "tok-operator" },
  { tag: tags.meta, class: "tok-meta" },
]);

const setLines = StateEffect.define<{ now: number[]; mentioned: number[] }>();

/** The lines that the current step of a run is written on. */
const lines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    marks = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setLines)) continue;
      const doc = transaction.state.doc;
      const wanted = new Map<number, string>();
      for (const line of effect.value.mentioned) wanted.set(line, "line-mentioned");
      for (const line of effect.value.now) wanted.set(line, "line-now");
      const inside = [...wanted].filter(([line]) => line >= 1 && line <= doc.lines).sort((a, b) => a[0] - b[0]);
      marks = Decoration.set(inside.map(([line, cls]) => Decoration.line({ class: cls }).range(doc.line(line).from)));
    }
    return marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const theme = EditorView.theme({
  "&": { height: "100%", fontSize: "13.5px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  "&.cm-focused": { outline: "none" },
});

export class Editor {
  readonly view: EditorView;
  private colour = new Compartment();
  private fixed = new Compartment();
  private pending: ReturnType<typeof setTimeout> | undefined;
  private asked: AbortController | undefined;

  constructor(place: HTMLElement) {
    const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? "";
    this.view = new EditorView({
      parent: place,
      state: EditorState.create({
        extensions: [
          EditorView.cspNonce.of(nonce),
          lineNumbers(),
          history(),
          drawSelection(),
          rectangularSelection(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          highlightSelectionMatches(),
          search({ top: true }),
          autocompletion({ override: [words, completeAnyWord], icons: false }),
          lintGutter(),
          lines,
          theme,
          syntaxHighlighting(colours),
          this.colour.of([]),
          this.fixed.of([]),
          EditorView.contentAttributes.of({ "aria-label": "Model text" }),
          keymap.of([
            { key: "F12", run: () => this.goToDefinition() },
            { key: "Mod-Enter", run: () => (document.dispatchEvent(new Event("suppose-check")), true) },
            indentWithTab,
            ...closeBracketsKeymap,
            ...defaultKeymap,
            ...searchKeymap,
            ...historyKeymap,
            ...completionKeymap,
            ...lintKeymap,
          ]),
          EditorView.domEventHandlers({
            beforeinput: (event, view) => replaceLines(event, view),
            mousedown: (event, view) => {
              if (!(event.ctrlKey || event.metaKey)) return false;
              const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
              return at !== null && this.goToDefinition(at);
            },
          }),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged) return;
            store.document.text = update.state.doc.toString();
            store.tell("text");
            this.outlineSoon(250);
          }),
        ],
      }),
    });
    store.on("document", () => this.show());
  }

  private show(): void {
    const language = store.byName(store.document.name)?.name ?? "";
    const opened = store.document;
    const changed = store.isChanged();
    this.view.dispatch({
      changes: { from: 0, to: this.view.state.doc.length, insert: store.document.text },
      effects: [this.colour.reconfigure(parsers[language] ?? []), setLines.of({ now: [], mentioned: [] })],
      selection: { anchor: 0 },
      scrollIntoView: true,
    });
    // Ends of lines may be written in another way now.
    if (!changed) opened.saved = opened.text;
    this.view.dispatch(setDiagnostics(this.view.state, []));
    this.outlineSoon(0);
  }

  /** Asks the front-end what it thinks of the text, when nobody has typed for a moment. */
  outlineSoon(delay: number): void {
    clearTimeout(this.pending);
    this.pending = setTimeout(() => void this.outline(), delay);
  }

  private async outline(): Promise<void> {
    this.asked?.abort();
    const asked = (this.asked = new AbortController());
    const text = store.document.text;
    try {
      const outline = await post<Outline>("/api/outline", { model: store.model() }, asked.signal);
      if (text !== store.document.text) return;
      store.outline = outline;
      const language = outline.language ?? store.byName(store.document.name)?.name ?? "";
      this.view.dispatch({ effects: this.colour.reconfigure(parsers[language] ?? []) });
      const told = [...(outline.failure?.diagnostics ?? []), ...(outline.warnings ?? []).map(warning)];
      const marks = told.map((d) => this.mark(d)).sort((a, b) => a.from - b.from);
      this.view.dispatch(setDiagnostics(this.view.state, marks));
      store.tell("outline");
    } catch (error) {
      if ((error as Error).name !== "AbortError") announce((error as Error).message, "bad");
    }
  }

  private mark(told: Diagnostic): Mark {
    const doc = this.view.state.doc;
    const own = !told.file || told.file === store.document.name;
    const line = doc.line(Math.min(Math.max(own ? (told.line ?? 1) : 1, 1), doc.lines));
    // Columns count characters, offsets count UTF-16 units.
    const before = Array.from(line.text).slice(0, Math.max((told.column ?? 1) - 1, 0)).join("").length;
    const from = Math.min(line.from + before, line.to);
    const word = /^[\w$]+|^\S/.exec(line.text.slice(from - line.from));
    const to = told.line ? Math.max(from + (word?.[0].length ?? 0), Math.min(from + 1, line.to)) : line.to;
    const more = [told.expected ?? "", ...(told.help ?? [])].filter(Boolean);
    const message = [told.message, ...more].join("\n");
    return { from, to: Math.max(from, to), severity: told.severity === "warning" ? "warning" : "error", message };
  }

  goToDefinition(at?: number): boolean {
    const state = this.view.state;
    const word = state.wordAt(at ?? state.selection.main.head);
    if (!word) return false;
    const name = state.sliceDoc(word.from, word.to);
    const text = state.doc.toString();
    const found = definition(store.language()?.name ?? "", text, name);
    if (found === null || found === word.from) {
      if (at === undefined) announce(`no definition of ${name} was found`);
      return at === undefined;
    }
    this.view.dispatch({ selection: { anchor: found, head: found + name.length }, effects: EditorView.scrollIntoView(found, { y: "center" }) });
    this.view.focus();
    return true;
  }

  goToLine(number: number, column = 1): void {
    const doc = this.view.state.doc;
    const line = doc.line(Math.min(Math.max(number, 1), doc.lines));
    const at = Math.min(line.from + Math.max(column - 1, 0), line.to);
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    this.view.focus();
  }

  /** Marks the lines of a step: where it is written, or else where its names are mentioned. */
  highlight(now: number[], mentioned: number[]): void {
    const effects: StateEffect<unknown>[] = [setLines.of({ now, mentioned })];
    const first = now[0] ?? mentioned[0];
    const doc = this.view.state.doc;
    if (first !== undefined && first >= 1 && first <= doc.lines) {
      effects.push(EditorView.scrollIntoView(doc.line(first).from, { y: "nearest", yMargin: 60 }));
    }
    this.view.dispatch({ effects });
  }
}

/**
 * Text in place of several lines, or of several lines itself, is not left to the browser: to join or split lines, Chromium
 * puts style attributes into them, which the policy of the page forbids.
 */
function replaceLines(event: InputEvent, view: EditorView): boolean {
  const selected = document.getSelection();
  // Chromium names no ranges for what is typed.
  const range = event.getTargetRanges()[0] ?? (selected?.rangeCount ? selected.getRangeAt(0) : null);
  if (event.inputType !== "insertText" || !event.data || !event.cancelable || !range || view.composing || view.state.readOnly) return false;
  const from = view.posAtDOM(range.startContainer, range.startOffset);
  const to = view.posAtDOM(range.endContainer, range.endOffset);
  const { doc, selection } = view.state;
  const several = /[\r\n]/.test(event.data);
  if (doc.lineAt(from).to >= to && !several) return false;
  const insert = view.state.toText(event.data);
  const { main } = selection;
  const made = main.from === from && main.to === to ? view.state.replaceSelection(insert) : { changes: { from, to, insert }, selection: { anchor: from + insert.length } };
  const change = view.state.update(made, { userEvent: several ? "input.paste" : "input.type", scrollIntoView: true });
  if (!view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, event.data!, () => change))) view.dispatch(change);
  return true;
}

/** Warnings come as `file:line:column: words`. */
function warning(text: string): Diagnostic {
  const found = /^(.*?):(\d+):(\d+): ([\s\S]*)$/.exec(text);
  if (!found) return { severity: "warning", message: text };
  return { severity: "warning", file: found[1]!, line: Number(found[2]), column: Number(found[3]), message: found[4]! };
}

const words: CompletionSource = (context) => {
  const word = context.matchBefore(/[A-Za-z_-]\w*/);
  if (!word || (word.from === word.to && !context.explicit)) return null;
  const keywords = (keywordsOf[store.language()?.name ?? ""] ?? "").split(" ").filter(Boolean);
  const claims = store.outline.components ?? [];
  return {
    from: word.from,
    options: [
      ...keywords.map((label) => ({ label, type: "keyword" })),
      ...claims.filter((c) => /^\w+$/.test(c)).map((label) => ({ label, type: "class" })),
    ],
    validFor: /^[\w-]*$/,
  };
};
