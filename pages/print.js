// A chart is drawn for the width of the window. Before printing, say what its drawing measures, so that
// the style sheet can scale it to the sheet; afterwards take that back, as the next window may be wider.

const before = () => {
  const page = document.querySelector(".stApp");
  const dark = page && getComputedStyle(page).colorScheme.includes("dark");
  document.documentElement.toggleAttribute("data-printed-dark", Boolean(dark));
  for (const drawing of document.querySelectorAll(".js-plotly-plot .main-svg")) {
    drawing.setAttribute("viewBox", `0 0 ${drawing.getAttribute("width")} ${drawing.getAttribute("height")}`);
    drawing.setAttribute("preserveAspectRatio", "xMinYMin meet");
  }
};
const after = () => {
  document.documentElement.removeAttribute("data-printed-dark");
  for (const drawing of document.querySelectorAll(".js-plotly-plot .main-svg")) {
    drawing.removeAttribute("viewBox");
    drawing.removeAttribute("preserveAspectRatio");
  }
};

export default function () {
  window.addEventListener("beforeprint", before);
  window.addEventListener("afterprint", after);
  return () => {
    window.removeEventListener("beforeprint", before);
    window.removeEventListener("afterprint", after);
  };
}
