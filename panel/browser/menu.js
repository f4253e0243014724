// The bar above every page: it leads to pages within Streamlit's session, counts the deck and changes the theme.

import { kept, viewsOf, watchDeck } from "./deck.js";
import { chosenTheme, chooseTheme, scheme, watchScheme } from "./theme.js";

/** Links that lead to a page as the menu does. */
export const LINKS = ".bar-menu a[href], .bar > .home, .siblings a[href]";

const bar = document.querySelector("header.bar");
const menu = /** @type {HTMLElement | null} */ (bar?.querySelector(".bar-menu") ?? null);
const folded = /** @type {HTMLDetailsElement[]} */ ([...(bar?.querySelectorAll("details") ?? [])]);

/** How Streamlit is led to a page; null before it is there. @type {((path: string) => void) | null} */
let lead = null;

/** @param {(path: string) => void} how */
export const leadBy = (how) => { lead = how; };

/** Close what is open of the menu. */
const close = () => {
  for (const one of folded) one.open = false;
  if (menu?.matches(":popover-open")) menu.hidePopover();
};

/**
 * Go to a page in this document; false where Streamlit is not there to draw it.
 * @param {string} path
 */
export const goTo = (path) => {
  if (!lead) return false;
  close();
  if (path !== location.pathname) lead(path);
  return true;
};

/** Mark the page of the address, and the entry it is below. */
export const mark = () => {
  for (const link of document.querySelectorAll(".bar .bar-menu a")) {
    const here = link instanceof HTMLAnchorElement && link.pathname === location.pathname;
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
};

document.addEventListener("click", (event) => {
  const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event;
  if (!(target instanceof Element)) return;
  const link = target.closest(LINKS);
  const plain = !button && !ctrlKey && !metaKey && !shiftKey && !altKey;
  if (link instanceof HTMLAnchorElement && plain && goTo(link.pathname)) event.preventDefault();
  if (!target.closest(".bar details")) for (const one of folded) one.open &&= Boolean(menu?.matches(":popover-open"));
});

/** Up and down go through what is open, to the sides through the entries; Escape closes. @param {KeyboardEvent} event */
const byKey = (event) => {
  const now = document.activeElement;
  const open = now?.closest("details");
  if (event.key === "Escape" && open?.open) {
    open.open = false;
    open.querySelector("summary")?.focus();
    return;
  }
  const down = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const across = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!now || !(down || across)) return;
  if (down && now.matches("summary") && open) open.open = true;
  const entries = [...(menu?.querySelectorAll("nav > a, .deck, summary") ?? [])];
  const within = [...(open?.querySelectorAll("summary, li > *") ?? [])];
  const [list, step, from] = down ? [within, down, now] : [entries, across ?? 0, open?.querySelector("summary") ?? now];
  const next = list[(list.indexOf(from) + step + list.length) % list.length];
  if (!(next instanceof HTMLElement)) return;
  event.preventDefault();
  if (across && open) open.open = false;
  next.focus();
};

/** On a phone the menu is one list: every entry is open in it, which no name may prevent. @param {boolean} whole */
const unfold = (whole) => {
  for (const one of folded) {
    one.name = whole ? "" : "menu";
    one.open = whole;
    const summary = one.querySelector("summary");
    if (summary) summary.tabIndex = whole ? -1 : 0;
  }
};

if (bar && menu) {
  const colour = () => {
    bar.setAttribute("data-scheme", scheme());
    for (const button of menu.querySelectorAll("[data-theme]")) {
      button.setAttribute("aria-pressed", String(button.getAttribute("data-theme") === chosenTheme()));
    }
  };
  colour();
  watchScheme(colour);
  const count = () => {
    const { length } = viewsOf(kept());
    const place = menu.querySelector(".deck span");
    if (place) place.textContent = length ? ` (${length})` : "";
  };
  count();
  watchDeck(count);
  bar.addEventListener("keydown", (event) => byKey(/** @type {KeyboardEvent} */ (event)));
  bar.addEventListener("focusout", (event) => {
    const { relatedTarget } = /** @type {FocusEvent} */ (event);
    if (menu.matches(":popover-open")) return;
    for (const one of folded) if (!(relatedTarget instanceof Node && one.contains(relatedTarget))) one.open &&= relatedTarget === null;
  });
  menu.addEventListener("beforetoggle", (event) => {
    if (event.target === menu) unfold(/** @type {ToggleEvent} */ (event).newState === "open");
  });
  menu.addEventListener("click", ({ target }) => {
    const name = target instanceof HTMLElement ? target.dataset["theme"] : undefined;
    if (!name) return;
    void chooseTheme(name).then(colour);
    close();
  });
  addEventListener("popstate", mark);
  matchMedia("(max-width: 1000px)").addEventListener("change", close);
}
