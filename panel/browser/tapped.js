// The button that was pressed last. It stands in the document itself: boot.js presses it again where the page was not live.

addEventListener("click", ({ target }) => {
  /** @type {any} */ (window).tapped = /** @type {Element} */ (target).closest("button[data-act]");
});
