// What a mark, a figure or a row rests on, in a drawer beside the page, a sheet on a phone: the page stays in use.

import { answerAddress } from "./address.js";

/** @typedef {import("./panel.js").Panel} Panel */
/** @typedef {{title: string, lines?: string[], html?: () => Promise<{html: string}>}} Evidence */

/** @type {HTMLElement | null} */
let drawer = null;
let opened = 0;

/** @param {string} tag @param {Partial<HTMLElement>} [how] */
const made = (tag, how = {}) => Object.assign(document.createElement(tag), how);

/** What had the focus when the drawer was opened. @type {Element | null} */
let before = null;

/** Where a browser keeps one, Escape and a phone's Back close only what was opened last. */
const { CloseWatcher } = /** @type {any} */ (globalThis);
let watcher = /** @type {any} */ (null);

const close = () => {
  watcher = watcher?.destroy() ?? null;
  const within = drawer?.contains(document.activeElement);
  drawer?.hidePopover();
  if (within && before instanceof HTMLElement) before.focus({ preventScroll: true });
};
addEventListener("shown", close);
addEventListener("keydown", ({ key }) => key === "Escape" && !watcher && drawer?.matches(":popover-open") && !document.querySelector("dialog[open]") && close());

/** Open the drawer with what is known at once, then with what the server says of it. @param {HTMLElement} page @param {Evidence} evidence */
const open = async (page, { title, lines = [], html }) => {
  const mine = (opened += 1);
  if (drawer?.parentElement !== page) {
    drawer?.remove();
    drawer = made("div", { className: "evidence", popover: "manual", role: "dialog" });
    drawer.setAttribute("aria-labelledby", "evidence-title");
    page.append(drawer);
  }
  if (!drawer.contains(document.activeElement)) before = document.activeElement;
  const button = made("button", { className: "close", textContent: "×", ariaLabel: "Close", onclick: close });
  const body = made("div");
  body.append(made("h2", { id: "evidence-title", textContent: title }), ...lines.map((line) => made("p", { textContent: line })));
  if (html) body.append(made("p", { className: "quiet", role: "status", textContent: "One moment …" }));
  drawer.replaceChildren(button, body);
  drawer.showPopover();
  if (CloseWatcher) watcher ??= Object.assign(new CloseWatcher(), { onclose: close });
  button.focus({ preventScroll: true });
  if (!html) return;
  const answer = await html().catch((problem) => ({ problem }));
  if (mine !== opened) return;
  if ("html" in answer) body.innerHTML = answer.html;
  else /** @type {HTMLElement} */ (body.lastElementChild).textContent = `Nothing more could be fetched: ${answer.problem.message}`;
};

/** The row of a table of /data by its name, at the release that the page shows. @param {Panel} panel @param {string} table @param {string} name @param {string[]} [lines] */
const openRow = (panel, table, name, lines = []) => {
  const query = new URLSearchParams({ table, row: name });
  const release = new URLSearchParams(panel.query).get("release");
  if (release) query.set("release", release);
  const html = () => panel.fetch(answerAddress("data", query.toString(), { part: "evidence" }));
  void open(panel.node, { title: name, lines, ...(panel.own ? {} : { html }) });
};

/** A mark of a chart, which says its name and lines about it when it is pointed at. @param {Panel} panel @param {{hover: string, rows?: string}} mark */
export const openMark = (panel, { hover, rows }) => {
  const [title = "", ...lines] = hover.split("<br>").map((line) => new DOMParser().parseFromString(line, "text/html").body.textContent ?? "");
  if (rows) openRow(panel, rows, title, lines);
  else void open(panel.node, { title, lines });
};

/** Open the evidence of a figure or of a row that a link leads to; true where the click was for that. @param {Panel} panel @param {HTMLElement} target */
export const openClicked = (panel, target) => {
  const link = target.closest("a");
  const figure = link?.dataset["figure"];
  if (figure) void open(panel.node, { title: link.textContent ?? "", html: () => panel.ask(panel.query, { part: "evidence", figure }) });
  if (link?.hash && drawer?.contains(link)) close();
  const query = new URLSearchParams(target.closest("td") && link?.pathname === "/data" ? link.search : "");
  const row = query.get("row");
  const heads = [...(target.closest("table")?.tHead?.rows[0]?.cells ?? [])].map((head) => head.textContent);
  const lines = [...(target.closest("tr")?.cells ?? [])].map((cell, at) => (cell.checkVisibility() ? `${heads[at]}: ${cell.textContent}` : "")).slice(1).filter(Boolean);
  if (row) openRow(panel, query.get("table") ?? "", row, lines);
  return Boolean(figure || row);
};
