// A short tour for newcomers: find the assumption.

import { h, replace } from "./dom";
import { openExample } from "./files";
import { store } from "./store";

interface Stop {
  title: string;
  text: string;
  tab?: string;
  at?: string;
  act?: () => void;
}

const STOPS: Stop[] = [
  {
    title: "A system of two parts",
    text: "Input takes a value and sends it; Output delivers and acknowledges it. The property Order says that input and output alternate. Change the text and errors appear as you type.",
    at: ".editor-place",
    act: () => {
      const example = store.examples.find((e) => e.name === "channel.lts");
      if (example && store.document.name !== example.name) openExample(example);
    },
  },
  { title: "Check it", text: "Press Check (or Ctrl + Enter). Each claim gets a verdict, and a separate checker accepts its evidence before you see it.", tab: "check", at: "#check" },
  { title: "Find the assumption", text: "To prove Order of Input alone, what must it assume of Output? This looks for the smallest answer.", tab: "check", at: "#assume" },
  { title: "What it assumes", text: "The assumption is an automaton, usually much smaller than the part it stands for. Click a state to see what it stands for. Below, change its text: is it still enough, and is it still true?", tab: "assumption", at: ".tab-assumption" },
  { title: "Break it", text: "Remove an action from the text and check again: the counterexample opens as a run that you can step through with the arrow keys. The simulator lets you choose the steps yourself.", tab: "explore", at: ".tab-explore" },
  { title: "Keep the proof", text: "The certificate can be checked again here, or by anyone who has the model and `suppose certify`.", tab: "certificate", at: ".tab-certificate" },
];

export function tour(open: (tab: string) => void): void {
  document.querySelector(".tour")?.remove();
  let at = 0;
  const card = h("div.tour", { role: "dialog", "aria-label": "Guided tour", tabindex: -1 });
  const end = () => {
    card.remove();
    mark(null);
  };
  const mark = (selector: string | null | undefined) => {
    document.querySelectorAll(".tour-target").forEach((e) => e.classList.remove("tour-target"));
    if (selector) document.querySelector(selector)?.classList.add("tour-target");
  };
  const draw = () => {
    const stop = STOPS[at]!;
    if (stop.tab) open(stop.tab);
    stop.act?.();
    mark(stop.at);
    const last = at === STOPS.length - 1;
    replace(
      card,
      h("p.tour-count", {}, `${at + 1} of ${STOPS.length}`),
      h("h2", {}, stop.title),
      h("p", {}, stop.text),
      h(
        "div.actions",
        {},
        at > 0 && h("button.small", { onclick: () => (at--, draw()) }, "Back"),
        h("button.primary.small", { onclick: () => (last ? end() : (at++, draw())) }, last ? "Done" : "Next"),
        !last && h("button.small.plain", { onclick: end }, "Skip the tour"),
      ),
    );
    card.focus();
  };
  card.addEventListener("keydown", (event) => event.key === "Escape" && end());
  document.body.append(card);
  draw();
}
