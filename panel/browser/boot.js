// The document's own page becomes live first; Streamlit's menu, theme and session join when its chart is drawn.

import { tidy, viewQuery } from "./address.js";
import { closeByBack } from "./fields.js";
import "./help.js";
import "./menu.js";
import { adopt, panelInSight, panelOf } from "./pages.js";
import { begin as beginSearch } from "./palette.js";
import "./print.js";
import "./skip.js";
import { introduce } from "./streamlit.js";
import "./terms.js";
import { carryTheme, scheme, watchScheme } from "./theme.js";

const PATIENCE_MS = 4000;

introduce();

const first = document.getElementById("first");
const colour = () => { if (first) first.dataset["scheme"] = scheme(); };
colour();
watchScheme(colour);
const script = /** @type {HTMLScriptElement} */ (document.querySelector("script[data-boot]"));
const node = document.querySelector("#first .panel");
const told = document.getElementById("first-answer")?.textContent;

/** @type {Promise<unknown>} */
let live = Promise.resolve();
if (node instanceof HTMLElement && told) {
  const finding = JSON.parse(told);
  tidy(finding);
  live = adopt(node, finding, viewQuery(location.search)).live;
  /** @type {any} */ (window).tapped?.click();
}

addEventListener("popstate", () => {
  const panel = panelOf(location.pathname);
  const query = viewQuery(location.search);
  if (!panel?.node.isConnected || closeByBack(panel.node, panel.shows(query))) return;
  if (!panel.shows(query)) void panel.show(query, { history: "none" });
});

addEventListener("hashchange", () => panelInSight()?.part.open());

beginSearch();

// A frame sends its height to the page around it, and nothing else.
if (first?.classList.contains("embed") && parent !== self && node instanceof HTMLElement)
  new ResizeObserver(() => parent.postMessage({ scalingGapHeight: node.offsetHeight + 2 * node.offsetTop + 8 }, "*")).observe(node);

const join = () => {
  /** @type {{scripts: string[], styles: string[], main: string} | null} */
  const parts = JSON.parse(script.dataset["streamlit"] ?? "null");
  if (!parts) return;
  carryTheme();
  for (const [rel, addresses] of /** @type {const} */ ([["stylesheet", parts.styles], ["modulepreload", parts.scripts]]))
    for (const href of addresses) document.head.append(Object.assign(document.createElement("link"), { rel, href, crossOrigin: "" }));
  // They come from this document's program, whatever program Streamlit is joined by.
  void import("./component.js");
  void import("./keeper.js");
  void import(new URL(parts.main, document.baseURI).href);
};
void Promise.race([live, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]).then(join, join);
