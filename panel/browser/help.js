// What a field or a figure means stands behind its "?"; the button says whether it is open.

document.addEventListener("toggle", (event) => {
  const text = event.target;
  if (!(text instanceof HTMLElement) || !text.classList.contains("help-text")) return;
  const button = document.querySelector(`[popovertarget="${CSS.escape(text.id)}"]`);
  button?.setAttribute("aria-expanded", String(text.matches(":popover-open")));
}, true);
