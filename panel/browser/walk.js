// The chart by keyboard: arrow keys go through the points that say something, and each is spoken as it is shown.

import { tell } from "./chart.js";

/** @typedef {{curve: number, point: number | [number, number]}} Place */

const SPOKEN_AFTER_MS = 80;
const INSTEAD = "Chart. Arrow keys go through its points; Home and End to the first and the last; Enter opens one.";

/**
 * The points of a figure that a pointer would be told of, trace by trace.
 * @param {any[]} traces
 * @returns {Place[][]}
 */
export const placesOf = (traces) =>
  traces.flatMap((trace, curve) => {
    if (trace.hoverinfo === "skip" || trace.hoverinfo === "none" || (trace.visible ?? true) !== true) return [];
    /** @type {Place[]} */
    const places = [];
    if (trace.type === "heatmap") {
      for (const [row, cells] of [...(trace.z ?? [])].entries())
        for (const [column, cell] of [...cells].entries()) if (cell !== null) places.push({ curve, point: [row, column] });
    } else {
      const [x, y] = [[...(trace.x ?? [])], [...(trace.y ?? [])]];
      for (const point of y.keys()) if (isThere(x[point]) && isThere(y[point])) places.push({ curve, point });
    }
    return places.length ? [places] : [];
  });

/** @param {unknown} value */
const isThere = (value) => value !== null && value !== undefined && !Number.isNaN(value);

/**
 * Where a key leads: left and right along the points and on into the next trace, up and down from trace to trace.
 * @param {Place[][]} places
 * @param {[number, number] | null} at  trace and point among those that say something; none before the first key
 * @param {string} key
 * @returns {[number, number] | null} null for a key that leads nowhere
 */
export const onward = (places, at, key) => {
  const last = places.length - 1;
  const end = (/** @type {number} */ trace) => (places[trace]?.length ?? 1) - 1;
  if (last < 0 || !["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"].includes(key)) return null;
  if (key === "Home" || (at === null && key !== "End")) return [0, 0];
  if (key === "End" || at === null) return [last, end(last)];
  const [trace, point] = [Math.min(at[0], last), Math.min(at[1], end(Math.min(at[0], last)))];
  if (key === "ArrowRight") return point < end(trace) ? [trace, point + 1] : trace < last ? [trace + 1, 0] : [trace, point];
  if (key === "ArrowLeft") return point > 0 ? [trace, point - 1] : trace > 0 ? [trace - 1, end(trace - 1)] : [trace, point];
  const to = Math.max(0, Math.min(last, trace + (key === "ArrowDown" ? 1 : -1)));
  return [to, Math.min(point, end(to))];
};

/** Where the reader is in each chart. @type {WeakMap<Element, [number, number]>} */
const standing = new WeakMap();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let later;

/** What the chart shows beside the point, as one line. @param {Element} live */
const shownAt = (live) =>
  [...live.querySelectorAll(".hoverlayer .hovertext text")]
    .map((text) => {
      const lines = [...text.querySelectorAll("tspan.line")].map((line) => line.textContent?.trim() ?? "");
      return lines.length ? lines.join(", ") : (text.textContent?.trim() ?? "");
    })
    .filter(Boolean)
    .join("; ");

/** @param {HTMLElement} page @param {string} words */
const say = (page, words) => {
  let line = page.querySelector(".spoken");
  if (!line) {
    line = document.createElement("p");
    line.className = "spoken";
    line.setAttribute("role", "status");
    page.append(line);
  }
  line.textContent = words;
};

/**
 * Let the charts of a page be gone through by keyboard; their boxes stay when they are drawn anew.
 * @param {HTMLElement} page
 */
export const walk = (page) => {
  const focusable = () => {
    for (const box of page.querySelectorAll(".plot[data-drawn]:not([tabindex])")) {
      box.setAttribute("tabindex", "0");
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", INSTEAD);
    }
  };
  new MutationObserver(focusable).observe(page, { subtree: true, attributeFilter: ["data-drawn"] });
  focusable();
  page.addEventListener("keydown", (event) => {
    const box = event.target;
    if (!(box instanceof HTMLElement) || !box.matches(".plot") || event.ctrlKey || event.altKey || event.metaKey) return;
    const live = /** @type {any} */ (box.querySelector(".live"));
    const Plotly = /** @type {any} */ (window).Plotly;
    if (!live?.data || !Plotly) return;
    if (event.key === "Escape") {
      Plotly.Fx.unhover(live);
      return;
    }
    const places = placesOf(live.data);
    const at = standing.get(box) ?? null;
    const to = event.key === "Enter" ? at : onward(places, at, event.key);
    const place = to && places[to[0]]?.[to[1]];
    if (!to || !place) return;
    event.preventDefault();
    if (event.key === "Enter") return tell(live, { curveNumber: place.curve, pointNumber: place.point });
    standing.set(box, to);
    Plotly.Fx.hover(live, [{ curveNumber: place.curve, pointNumber: place.point }]);
    clearTimeout(later);
    later = setTimeout(() => say(page, shownAt(live)), SPOKEN_AFTER_MS);
  });
  page.addEventListener("focusout", (event) => {
    const live = event.target instanceof Element && event.target.matches(".plot") ? event.target.querySelector(".live") : null;
    if (live) /** @type {any} */ (window).Plotly?.Fx.unhover(live);
  });
};
