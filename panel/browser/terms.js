// A term of art tells what it means to who points at it, comes to it by key or taps it; it leads to the glossary.

/** A pointer on its way elsewhere opens nothing. */
const REST_MS = 250;
/** The pointer may leave the term for what is said of it. */
const LEAVE_MS = 300;
const EDGE = 8;

/** @type {HTMLElement | null} */
let said = null;
/** @type {HTMLAnchorElement | null} */
let about = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

/** The term an event is about. @param {EventTarget | null} target */
const termOf = (target) =>
  target instanceof Element ? /** @type {HTMLAnchorElement | null} */ (target.closest("a.term")) : null;

/** @param {EventTarget | null} target */
const within = (target) => target instanceof Node && (said?.contains(target) || about?.contains(target));

const hide = () => {
  clearTimeout(waiting);
  if (said?.isConnected) said.hidePopover();
  about = null;
};

/** @param {HTMLAnchorElement} term */
const show = (term) => {
  clearTimeout(waiting);
  const page = term.closest(".panel");
  if (!page || (about === term && said?.matches(":popover-open"))) return;
  hide();
  if (said?.parentElement !== page) {
    said?.remove();
    said = Object.assign(document.createElement("div"), { className: "help-text term-text", popover: "auto" });
    page.append(said);
  }
  const more = Object.assign(document.createElement("a"), { href: term.href, textContent: "Glossary" });
  said.replaceChildren(term.getAttribute("aria-description") ?? "", " ", more);
  about = term;
  said.showPopover();
  const at = [...term.getClientRects()].pop() ?? term.getBoundingClientRect();
  const { width, height } = said.getBoundingClientRect();
  const below = at.bottom + height + EDGE < innerHeight || at.top < height + EDGE;
  said.style.left = `${Math.max(EDGE, Math.min(at.left, innerWidth - width - EDGE))}px`;
  said.style.top = `${below ? at.bottom + 2 : at.top - height - 2}px`;
};

document.addEventListener("pointerover", (event) => {
  if (event.pointerType !== "mouse") return;
  const term = termOf(event.target);
  if (!term && !about) return;
  clearTimeout(waiting);
  if (term) waiting = setTimeout(() => show(term), REST_MS);
  else if (!within(event.target)) waiting = setTimeout(hide, LEAVE_MS);
});
document.addEventListener("focusin", (event) => {
  const term = termOf(event.target);
  if (term?.matches(":focus-visible")) show(term);
});
document.addEventListener("focusout", (event) => {
  if (about && termOf(event.target) === about && !within(event.relatedTarget)) hide();
});
document.addEventListener("click", (event) => {
  const term = termOf(event.target);
  // Enter leads to the glossary, as a pointer does that opens links beside the page.
  if (!term || event.detail === 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  show(term);
});
document.addEventListener("scroll", hide, { capture: true, passive: true });
