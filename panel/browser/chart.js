// The live chart: one plotly, loaded once; a change redraws the same node, so zoom, hover and focus stay.

/** @typedef {{figure: {data: any[], layout: any}, alt: string}} Chart */

/** What plotly is told beside the figure: a finger scrolls past, a double click takes the whole chart again. */
export const CONFIG = { displayModeBar: false, responsive: true, scrollZoom: false, doubleClick: "reset", typesetMath: false };

/** @type {Promise<any> | null} */
let library = null;

/** Where plotly lies, beside the folder of our own modules; the document preloads it. */
const PLOTLY = new URL("../vendor/plotly-cartesian-4.1.1.min.js", import.meta.url).href;

/** @returns {Promise<any>} */
export const plotly = () => {
  library ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = PLOTLY;
    script.onload = () => resolve(/** @type {any} */ (window).Plotly);
    script.onerror = () => {
      library = null;
      script.remove();
      reject(new Error("The chart library could not be loaded."));
    };
    document.head.append(script);
  });
  return library;
};

/**
 * A figure in one scheme: where the two differ stands {"$": [light, dark]}.
 * @param {any} value
 * @param {"light" | "dark"} scheme
 * @returns {any}
 */
export const inScheme = (value, scheme) => {
  if (Array.isArray(value)) return value.map((item) => inScheme(item, scheme));
  if (value === null || typeof value !== "object") return value;
  if ("$" in value) return value["$"][scheme === "dark" ? 1 : 0];
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, inScheme(item, scheme)]));
};

/**
 * Draw a chart into its box: over the picture that stands there, or anew into the live chart that does.
 * @param {HTMLElement} box
 * @param {Chart} chart
 * @param {"light" | "dark"} scheme
 */
export const draw = async (box, chart, scheme) => {
  const Plotly = await plotly();
  box.style.height = `${chart.figure.layout.height}px`;
  let live = /** @type {HTMLElement | null} */ (box.querySelector(".live"));
  if (!live) {
    live = document.createElement("div");
    live.className = "live";
    live.setAttribute("role", "img");
    box.append(live);
  }
  live.setAttribute("aria-label", chart.alt);
  const { data, layout } = inScheme(chart.figure, scheme);
  await Plotly.react(live, data, layout, CONFIG);
  for (const other of [...box.children]) if (other !== live) other.remove();
  box.dataset["drawn"] = "true";
};

/**
 * Let a chart be as wide as its box after the box has changed.
 * @param {HTMLElement} box
 */
export const fit = (box) => {
  const live = box.querySelector(".live");
  const Plotly = /** @type {any} */ (window).Plotly;
  if (Plotly && live instanceof HTMLElement && live.classList.contains("js-plotly-plot")) {
    if (Math.abs(live.clientWidth - (live.querySelector(".main-svg")?.clientWidth ?? 0)) > 1) Plotly.Plots.resize(live);
  }
};
