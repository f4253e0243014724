// Between the deck in this browser and the session at the server: the bar counts it, the page of the deck changes it.

import { lead } from "./component.js";
import { keep, kept, watchDeck } from "./deck.js";
import { goTo, leadBy } from "./menu.js";
import { Part } from "./part.js";
import { CONTENT, DROPZONE, FORMULA, keyed } from "./streamlit.js";

/**
 * @typedef {object} Keeper   what Streamlit hands over
 * @property {{deck: string | null, heard: string | null, focus?: string}} data   the deck of the session, null before it
 *   has one; what it was told last by this browser, which it may spell another way; the button to be focused, and a count
 * @property {(name: string, value: any) => void} setStateValue
 */

/** @type {string | null} */
let sent = null;
/** @type {string | null | undefined} */
let seen;
let watched = false;
/** @type {(query: string) => void} */
let tell = () => {};

/** The button that was focused last, and its count. */
let focused = "";

/**
 * Put the keyboard on a button of the page of the deck; at either end of the list, on the one that still moves.
 * @param {string} wanted  its key, and a count that makes it another wish than the last
 */
const focusOn = (wanted) => {
  if (!wanted || wanted === focused) return;
  focused = wanted;
  const [label, index] = (wanted.split(" ")[0] ?? "").split("-");
  const keys = [`${label}-${index}`, `${label === "Up" ? "Down" : "Up"}-${index}`];
  const found = keys.map((key) => /** @type {HTMLButtonElement | null} */ (document.querySelector(`${keyed(key)} button`)));
  found.find((button) => button && !button.disabled)?.focus();
};

/** When a list in a new order has been drawn, in ms. */
const FOCUS_MS = 300;

const nameParts = () => {
  // A place for files that has a name and takes the focus is no mere decoration.
  for (const place of document.querySelectorAll(DROPZONE)) place.setAttribute("role", "group");
  // A formula wider than a phone scrolls in its place: a keyboard reaches it there.
  for (const formula of document.querySelectorAll(FORMULA)) formula.setAttribute("tabindex", "0");
};

/** @type {Part | null} */
let sections = null;

/** Show the section that the address names; a view's page shows its own. */
const showSection = () => {
  const page = document.querySelector(CONTENT);
  if (!(page instanceof HTMLElement) || page.querySelector(".panel")) return;
  if (sections?.page !== page) sections = new Part(page);
  sections.open();
};

let naming = 0;

/** Name what Streamlit draws, and show its section, whenever that is: at most once a frame. */
const nameSoon = () => {
  naming ||= requestAnimationFrame(() => {
    naming = 0;
    nameParts();
    showSection();
  });
};

/** @param {Keeper} keeper */
export const mount = ({ data, setStateValue }) => {
  nameSoon();
  leadBy(lead);
  const wanted = data.focus ?? "";
  if (wanted && wanted !== focused) setTimeout(() => focusOn(wanted), FOCUS_MS);
  tell = (query) => {
    if (query === sent || query === (data.deck ?? "")) return;
    sent = query;
    setStateValue("deck", query);
  };
  if (!watched) {
    watched = true;
    new MutationObserver(nameSoon).observe(document.body, { childList: true, subtree: true });
    watchDeck((query) => tell(query));
    addEventListener("scaling-gap-open-deck", open);
  }
  if (data.deck === null) {
    if (kept()) tell(kept());
    return;
  }
  if (sent !== null && sent !== data.heard) return;
  sent = null;
  if (data.deck === seen) return;
  if (seen === undefined && kept() && data.deck && kept() !== data.deck) setStateValue("before", kept());
  seen = data.deck;
  if (data.deck !== kept()) keep(data.deck);
};

const open = () => {
  if (!goTo("/deck")) location.assign(`/deck?${kept()}`);
};
