// The button that puts a view into the deck, and then leads there.

import { keep, kept, viewsOf, withView } from "./deck.js";

const MOST_VIEWS = 30;

/**
 * Put the view of a link into the deck, or open the deck that holds it.
 * @param {string} link
 * @returns {string} what is to be said, if anything
 */
export const addToDeck = (link) => {
  if (!link) return "";
  if (viewsOf(kept()).includes(link)) {
    dispatchEvent(new CustomEvent("scaling-gap-open-deck"));
    return "";
  }
  const after = withView(kept(), link, MOST_VIEWS);
  if (after === kept()) return `The deck is full: at most ${MOST_VIEWS} views. Remove one first.`;
  keep(after);
  return "";
};

/**
 * Say on the button whether this view is in the deck.
 * @param {HTMLElement} page
 * @param {string} link  empty for a reader's own data
 */
export const sayInDeck = (page, link) => {
  const one = page.querySelector('[data-act="deck"]');
  if (!(one instanceof HTMLButtonElement)) return;
  const views = viewsOf(kept());
  const inside = views.includes(link);
  one.textContent = inside ? `In the deck (${views.length})` : "Add to deck";
  one.disabled = !link;
  one.title = link ? (inside ? "Open the deck" : "") : "A deck is a link, and a link cannot carry your own export.";
};
