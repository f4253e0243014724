// Past the menu by keyboard: to the chart, or to the settings; on a phone to the button that opens them.

document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest(".skip a") : null;
  if (!(link instanceof HTMLAnchorElement)) return;
  event.preventDefault();
  const places = link.hash === "#chart" ? ["#chart .plot[tabindex]", "#chart"] : ["form.controls", ".open-controls"];
  const found = places.map((place) => document.querySelector(`.panel ${place}`)).find((one) => one?.checkVisibility());
  const to = found ?? document.querySelector('h1');
  if (!(to instanceof HTMLElement)) return;
  if (to.tabIndex < 0) to.tabIndex = -1;
  to.focus();
  to.scrollIntoView({ block: "nearest" });
});
