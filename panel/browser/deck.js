// The deck a reader is putting together lives in this browser, as the query of the deck's link.

const KEY = "scaling-gap deck";
const CHANGED = "scaling-gap-deck";

/** The deck where the browser keeps nothing: it lasts as long as the page is open. @type {string | null} */
let unkept = null;

/** @returns {string} the query of the deck's link; empty for no deck */
export const kept = () => {
  if (unkept !== null) return unkept;
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
};

/**
 * Make this the deck, here and in every other window of this browser.
 * @param {string} query
 */
export const keep = (query) => {
  try {
    if (query) localStorage.setItem(KEY, query);
    else localStorage.removeItem(KEY);
    unkept = null;
  } catch {
    unkept = query;
  }
  dispatchEvent(new CustomEvent(CHANGED, { detail: query }));
};

/** The links of the views in a deck, without titles of the reader's own behind them. @param {string} query */
export const viewsOf = (query) => inDeck(query).map((view) => view.split("#")[0] ?? "");

/** @param {string} query */
const inDeck = (query) => new URLSearchParams(query).getAll("view");

/**
 * The deck with one more view at its end; the same deck where the view is in it or it is full.
 * @param {string} query
 * @param {string} link
 * @param {number} most
 */
export const withView = (query, link, most) => {
  const views = viewsOf(query);
  if (views.includes(link) || views.length >= most) return query;
  const deck = new URLSearchParams(query);
  const rest = [...deck].filter(([name]) => name !== "view");
  return new URLSearchParams([...[...inDeck(query), link].map((view) => ["view", view]), ...rest]).toString();
};

/** Call back when the deck changes, here or in another window. @param {(query: string) => void} changed */
export const watchDeck = (changed) => {
  /** @param {Event} event */
  const here = (event) => changed(/** @type {CustomEvent<string>} */ (event).detail);
  /** @param {StorageEvent} event */
  const elsewhere = (event) => {
    if (event.key === KEY || event.key === null) changed(event.newValue ?? "");
  };
  addEventListener(CHANGED, here);
  addEventListener("storage", elsewhere);
  return () => {
    removeEventListener(CHANGED, here);
    removeEventListener("storage", elsewhere);
  };
};
