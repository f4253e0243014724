// A chart is drawn for the width of the window. Before printing, say what its drawing measures, so that
// the style sheet can scale it to the sheet; sections and exhibits are opened, and charts not scrolled to are drawn now,
// all of them in light colours.
// Afterwards take that back, as the next window may be wider.

import { panelInSight } from "./pages.js";
import { scheme } from "./theme.js";

const PRINTED = ".panel :is(#sure, #changes, .exhibit)";

let printing = false;
/** What was closed and is open for paper alone. @type {HTMLDetailsElement[]} */
let opened = [];

const fitToSheet = () => {
  if (!printing) return;
  for (const drawing of document.querySelectorAll(".js-plotly-plot .main-svg")) {
    drawing.setAttribute("viewBox", `0 0 ${drawing.getAttribute("width")} ${drawing.getAttribute("height")}`);
    drawing.setAttribute("preserveAspectRatio", "xMinYMin meet");
  }
};
const before = () => {
  printing = true;
  const panel = document.querySelector(".panel");
  document.documentElement.toggleAttribute("data-printed-dark", scheme() === "dark" && !panel);
  for (const section of document.querySelectorAll(PRINTED))
    if (section instanceof HTMLDetailsElement && !section.open) {
      section.open = true;
      opened.push(section);
    }
  fitToSheet();
  void panelInSight()?.pictures.toPaper().then(fitToSheet);
};
const after = () => {
  printing = false;
  for (const section of opened.splice(0)) section.open = false;
  document.documentElement.removeAttribute("data-printed-dark");
  for (const drawing of document.querySelectorAll(".js-plotly-plot .main-svg")) {
    drawing.removeAttribute("viewBox");
    drawing.removeAttribute("preserveAspectRatio");
  }
  void panelInSight()?.pictures.fromPaper();
};

addEventListener("beforeprint", before);
addEventListener("afterprint", after);
