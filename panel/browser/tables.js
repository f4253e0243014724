// The tables of a page: fetched when a reader opens one, and again when what it shows has changed.

import { showTable } from "./table.js";

/** @typedef {import("./panel.js").Panel} Panel */

/**
 * What a table shows is no longer so.
 * @param {Panel} panel
 * @param {HTMLDetailsElement} section
 */
export const forgetTable = (panel, section) => {
  delete section.dataset["query"];
  const rows = section.querySelector(".rows");
  if (!section.open) rows?.replaceChildren();
  else {
    rows?.classList.add("stale");
    void fillTable(panel, section);
  }
};

/**
 * Fetch the table of a section that is open, unless it is there.
 * @param {Panel} panel
 * @param {HTMLDetailsElement} section
 */
export const fillTable = async (panel, section) => {
  const { query, finding } = panel;
  if (section.dataset["query"] === query) return;
  section.dataset["query"] = query;
  const exhibit = Number(section.dataset["table"]);
  const box = /** @type {HTMLElement} */ (section.querySelector(".rows"));
  try {
    const table = await panel.ask(query, { part: "table", exhibit });
    if (panel.finding !== finding) return;
    const caption = section.closest(".exhibit")?.querySelector(".title")?.textContent ?? panel.node.querySelector("h1")?.textContent ?? "";
    const release = new URLSearchParams(query).get("release");
    showTable(box, table, caption, release ? { release } : {});
    box.classList.remove("stale");
  } catch (problem) {
    if (panel.finding !== finding) return;
    delete section.dataset["query"];
    box.classList.remove("stale");
    box.textContent = panel.left(problem) ? "" : /** @type {Error} */ (problem).message;
  }
};

/** Fill every table that stands open. @param {Panel} panel */
export const fillOpenTables = (panel) => {
  for (const section of panel.node.querySelectorAll("details.table[open]"))
    void fillTable(panel, /** @type {HTMLDetailsElement} */ (section));
};
