// The pages a reader has been to in this document, and those they may come to next.

import { answerAddress } from "./address.js";
import { waitingWords } from "./answers.js";
import { LINKS } from "./menu.js";
import { answers, Panel } from "./panel.js";
import { outdated, renew } from "./program.js";
import { watchScheme } from "./theme.js";

/** @typedef {import("./panel.js").Finding} Finding */
/** @typedef {import("./panel.js").Own} Own */

/** What a reader chose on each page, for when they come back to it by the menu. @type {Map<string, Panel>} */
const panels = new Map();

/** The panel a reader left on that page, if any. @param {string} path */
export const panelOf = (path) => panels.get(path);

/** The page in sight; none on a page that is no view's. */
export const panelInSight = () => [...panels.values()].find((panel) => panel.node.isConnected);

/**
 * The page that the document carries, live from now on.
 * @param {HTMLElement} node
 * @param {Finding} finding
 * @param {string} asked
 * @param {Own} own
 */
export const adopt = (node, finding, asked, own = null) => {
  const panel = new Panel(node, finding, asked, own);
  panels.set(panel.path, panel);
  return panel;
};

/**
 * The page of a view that a reader comes to by the menu, not yet in the document: a chart can only be drawn there.
 * @param {string} view
 * @param {string} query
 * @param {AbortSignal} signal
 * @param {Own} own
 * @param {(words: string) => void} say   what the reader is told while it does not come
 * @returns {Promise<{node: HTMLElement, finding: Finding}>}
 */
export const fetchPage = async (view, query, signal, own, say) => {
  const options = { part: "page" };
  const waiting = (/** @type {"busy" | "away"} */ why, /** @type {number} */ seconds) => say(waitingWords(why, seconds));
  /** @type {Finding} */
  const finding = own
    ? await own.ask(view, query, options, signal)
    : await answers.get(answerAddress(view, query, options), { signal, waiting });
  if (location.pathname === finding.path && outdated(finding.program)) await renew(location.pathname + location.search);
  const holder = document.createElement("template");
  holder.innerHTML = finding.page ?? "";
  return { node: /** @type {HTMLElement} */ (holder.content.firstElementChild), finding };
};

/** The names of the views there are, as the document tells them. */
const VIEWS = new Set((/** @type {HTMLElement | null} */ (document.querySelector("script[data-views]"))?.dataset["views"] ?? "").split(" "));

/** A page that the pointer rests on in the menu is fetched ahead. */
document.addEventListener("pointerover", (event) => {
  const entry = /** @type {HTMLElement} */ (event.target).closest?.(LINKS);
  if (!(entry instanceof HTMLAnchorElement)) return;
  const path = new URL(entry.href).pathname;
  const view = path === "/" ? "overview" : path.slice(1);
  if (VIEWS.has(view) && !panels.has(path)) answers.ahead(answerAddress(view, "", { part: "page" }));
});

watchScheme(() => {
  void panelInSight()?.pictures.recolour();
});
