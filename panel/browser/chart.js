// The live chart: one plotly, loaded once. What was drawn last is kept, so a choice made before is there at once.

/** @typedef {{data: any[], layout: any}} Shape */
/** Of a narrow chart: up to which width, how many of the wide one's traces it has too, and what follows them. */
/** @typedef {{most: number, shared: number, data: any[], layout: any}} Narrow */
/** @typedef {{figure: Shape & {narrow?: Narrow}, alt: string}} Chart */

/** What plotly is told beside the figure: a finger scrolls past, a double click takes the whole chart again. */
export const CONFIG = { displayModeBar: false, responsive: true, scrollZoom: false, doubleClick: "reset", showTips: false, typesetMath: false };

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
 * A figure as it is drawn in a box of some width; no width is known of a box that is not shown.
 * @param {Chart["figure"]} figure
 * @param {number} width
 * @returns {Shape}
 */
export const shaped = ({ data, layout, narrow }, width) =>
  narrow && width > 0 && width <= narrow.most
    ? { data: [...data.slice(0, narrow.shared), ...narrow.data], layout: narrow.layout }
    : { data, layout };

/** How high a chart is in its box. @param {HTMLElement} box @param {Chart} chart @returns {number} */
export const heightIn = (box, chart) => shaped(chart.figure, box.clientWidth).layout.height;

/** @param {Chart} chart @param {number} width */
const kindAt = (chart, width) => (chart.figure.narrow && shaped(chart.figure, width).layout === chart.figure.narrow.layout ? "narrow" : "wide");

/** A chart with so many marks is zoomed by a drag. */
const DENSE = 25;

/** So many drawings of a box are kept beside the one in sight. */
const MOST_KEPT = 6;

/** What was drawn in a box, by what it shows, the latest last. @type {WeakMap<HTMLElement, Map<Chart, HTMLElement>>} */
const drawings = new WeakMap();

/** Charts are drawn before a reader chooses them, one after the other. @type {Promise<unknown>} */
let ahead = Promise.resolve();

/** Plotly is there: a chart is drawn within the same frame. */
export const ready = () => "Plotly" in window;

/** Draw what a box may show next, unless that is no longer so. @param {HTMLElement} box @param {Chart} chart @param {"light" | "dark"} scheme @param {() => boolean} wanted */
export const drawAhead = (box, chart, scheme, wanted) => {
  const drawn = async () => {
    const kept = drawings.get(box);
    if (!kept || kept.has(chart) || !wanted()) return;
    await new Promise((resolve) => setTimeout(resolve)); // keys and clicks come between two drawings
    if (!wanted()) return;
    const live = await drawAnew(await plotly(), box, chart, scheme);
    live.remove();
    kept.set(chart, live);
  };
  ahead = ahead.then(drawn).catch(() => {});
};

/**
 * Draw a chart into its box, in place of the picture or the chart that stands there.
 * @param {HTMLElement} box
 * @param {Chart} chart
 * @param {"light" | "dark"} scheme
 */
export const draw = async (box, chart, scheme) => {
  const Plotly = await plotly();
  await ahead;
  const kept = drawings.get(box) ?? new Map();
  drawings.set(box, kept);
  const drawn = kept.get(chart);
  const asItWas = drawn?.dataset["scheme"] === scheme && drawn.dataset["kind"] === kindAt(chart, box.clientWidth) && !("zoomed" in drawn.dataset);
  const live = asItWas ? drawn : await drawAnew(Plotly, box, chart, scheme);
  box.style.height = live.style.height;
  if (drawn && drawn !== live) Plotly.purge(drawn);
  kept.delete(chart);
  kept.set(chart, live);
  box.replaceChildren(live);
  box.dataset["drawn"] = "true";
  if (asItWas) fit(box);
  for (const [oldest, node] of kept) {
    if (kept.size <= MOST_KEPT + 1) break;
    kept.delete(oldest);
    Plotly.purge(node);
  }
};

/**
 * A chart in a node of its own, unseen in its box until it is drawn.
 * @param {any} Plotly
 * @param {HTMLElement} box
 * @param {Chart} chart
 * @param {"light" | "dark"} scheme
 */
const drawAnew = async (Plotly, box, chart, scheme) => {
  const live = document.createElement("div");
  live.className = "live";
  live.setAttribute("role", "img");
  live.setAttribute("aria-label", chart.alt);
  live.dataset["scheme"] = scheme;
  const { data, layout } = shaped(chart.figure, box.clientWidth);
  live.dataset["kind"] = kindAt(chart, box.clientWidth);
  live.style.height = `${layout.height}px`;
  live.style.visibility = "hidden";
  box.append(live);
  try {
    const marks = data.reduce((sum, trace) => sum + (trace.hovertext?.length ?? 0), 0);
    // A finger drags the page; a mouse what it wants to see larger.
    const mouse = matchMedia("(pointer: fine)").matches && !matchMedia("(any-pointer: coarse)").matches;
    const dragmode = marks >= DENSE && mouse && !layout.yaxis?.fixedrange ? "zoom" : false;
    await Plotly.newPlot(live, inScheme(data, scheme), { ...inScheme(layout, scheme), dragmode }, CONFIG);
  } catch (problem) {
    live.remove();
    throw problem;
  }
  live.style.visibility = "";
  watchZoom(Plotly, live);
  /** @type {any} */ (live).on("plotly_click", (/** @type {{points: any[]}} */ { points: [mark] }) => mark && tell(live, mark));
  return live;
};

/** While a chart is zoomed a button beside the double click takes the whole of it again. @param {any} Plotly @param {any} live */
const watchZoom = (Plotly, live) => {
  const ranges = () => JSON.stringify([live.layout.xaxis?.range, live.layout.yaxis?.range]);
  const whole = ranges();
  const [x, y] = JSON.parse(whole);
  const button = Object.assign(document.createElement("button"), { type: "button", className: "reset-zoom", textContent: "Reset zoom" });
  button.onclick = () => Plotly.relayout(live, { "xaxis.range": x, "yaxis.range": y });
  live.on("plotly_relayout", () => {
    live.toggleAttribute("data-zoomed", ranges() !== whole);
    if (ranges() === whole) button.remove();
    else live.after(button);
  });
};

/**
 * Ask for what a mark rests on: its name, the lines about it, and the table whose row it names, if any.
 * @param {any} live
 * @param {{curveNumber: number, pointNumber: number | [number, number]}} mark
 */
export const tell = (live, { curveNumber, pointNumber }) => {
  const { hovertext, meta: rows } = live.data[curveNumber];
  const hover = [pointNumber].flat().reduce((texts, at) => texts?.[at], hovertext);
  if (hover) live.dispatchEvent(new CustomEvent("mark", { bubbles: true, detail: { hover, rows } }));
};

/**
 * Let a chart be as wide as its box after the box has changed; where it becomes narrow, or no longer is, it is drawn anew.
 * @param {HTMLElement} box
 */
export const fit = (box) => {
  const live = box.querySelector(".live");
  const Plotly = /** @type {any} */ (window).Plotly;
  if (Plotly && live instanceof HTMLElement && live.classList.contains("js-plotly-plot")) {
    const [chart] = [...(drawings.get(box) ?? [])].find(([, node]) => node === live) ?? [];
    if (chart && box.clientWidth > 0 && live.dataset["kind"] !== kindAt(chart, box.clientWidth)) {
      void draw(box, chart, live.dataset["scheme"] === "dark" ? "dark" : "light");
      return;
    }
    if (Math.abs(live.clientWidth - (live.querySelector(".main-svg")?.clientWidth ?? 0)) > 1) Plotly.Plots.resize(live);
  }
};
