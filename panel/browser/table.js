// A table that can be sorted and searched; rows are added as the reader comes to them.

/** @typedef {string | number | null} Key */
/** The texts of a column may name ``rows`` of a table of /data, each with a page; one of ``more`` is shown on request. */
/** @typedef {{label: string, kind: string, right: boolean, wide: number, rows?: string, more?: boolean}} Column */
/** @typedef {{columns: Column[], rows: string[][], keys: Key[][]}} Rows */

const AT_ONCE = 120;
/** Where a cell may lead: to the web, or to a page of ours; a browser takes /\ and / with a tab behind it for //. */
export const LEADS = /^(https?:\/\/|\/($|[\w?#]))/;

/**
 * The places of the rows in order of a column; those with nothing there come last, whichever way.
 * @param {Key[][]} keys
 * @param {number[]} places
 * @param {number} column
 * @param {1 | -1} way
 */
export const sorted = (keys, places, column, way) =>
  [...places].sort((a, b) => {
    const left = keys[a]?.[column] ?? null;
    const right = keys[b]?.[column] ?? null;
    if (left === null || right === null) return left === right ? a - b : left === null ? 1 : -1;
    if (typeof left === "number" && typeof right === "number") return way * (left - right) || a - b;
    return way * String(left).localeCompare(String(right), "en", { numeric: true }) || a - b;
  });

/**
 * The places of the rows that hold every one of the words.
 * @param {string[][]} rows
 * @param {string} words
 */
export const matching = (rows, words) => {
  const sought = words.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.flatMap((row, place) => {
    const text = row.join(" ").toLowerCase();
    return sought.every((word) => text.includes(word)) ? [place] : [];
  });
};

/** @typedef {{column: number, way: 1 | -1, words: string, labels: string}} Order */
/** How a reader ordered and searched the table of a box: a change of the view keeps it. @type {WeakMap<HTMLElement, Order>} */
const orders = new WeakMap();
/** @param {Column[]} columns */
const labelsOf = (columns) => columns.map((one) => one.label).join("\n");

/**
 * Fill a box with a table that can be sorted and searched.
 * @param {HTMLElement} box
 * @param {Rows} table
 * @param {string} caption
 * @param {{release?: string}} [pin]  what the pages of its rows are pinned to
 */
export const showTable = (box, table, caption, pin = {}) => {
  const { columns, rows, keys } = table;
  const before = orders.get(box);
  /** @type {Order} */
  let order = before && before.labels === labelsOf(columns) ? before : { column: -1, way: 1, words: "", labels: labelsOf(columns) };
  let places = rows.map((_, place) => place);
  let shown = 0;

  const search = document.createElement("input");
  search.type = "search";
  search.placeholder = "Search the table";
  search.value = order.words;
  search.setAttribute("aria-label", `Search the table: ${caption}`);
  const count = document.createElement("span");
  count.className = "quiet";
  count.setAttribute("role", "status");
  const tools = document.createElement("div");
  tools.className = "tools";
  tools.append(...(box.closest(".table-first") ? [] : [search]), count);
  const every = box.querySelector("label.chip") ?? Object.assign(document.createElement("label"), { className: "chip", innerHTML: '<input type="checkbox"> All columns' });
  if (columns.some((column) => column.more)) tools.append(every);

  const grid = document.createElement("table");
  const heads = grid.createTHead().insertRow();
  const body = grid.createTBody();
  const title = grid.createCaption();
  title.textContent = caption;
  const scroller = document.createElement("div");
  scroller.className = "scroller";
  scroller.tabIndex = 0;
  scroller.setAttribute("role", "region");
  scroller.setAttribute("aria-label", caption);
  scroller.append(grid);

  for (const [place, column] of columns.entries()) {
    const head = document.createElement("th");
    head.scope = "col";
    head.className = `${column.right ? "right" : ""} ${column.more ? "more" : ""}`.trim();
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = column.label;
    button.onclick = () => {
      order = { ...order, column: place, way: order.column === place && order.way === 1 ? -1 : 1 };
      refill();
    };
    head.append(button);
    heads.append(head);
  }

  const more = () => {
    const until = Math.min(places.length, shown + AT_ONCE);
    const some = document.createDocumentFragment();
    for (; shown < until; shown += 1) {
      const place = places[shown] ?? 0;
      const line = document.createElement("tr");
      for (const [number, column] of columns.entries()) {
        const cell = line.insertCell();
        const text = rows[place]?.[number] ?? "";
        const key = keys[place]?.[number];
        if (column.right) cell.className = "right";
        else if (text.length < 9 && text.includes("-")) cell.className = "short";
        if (column.wide) cell.style.minWidth = `${column.wide}px`;
        if (column.more) cell.classList.add("more");
        const page = column.rows && key ? `/data?${new URLSearchParams({ table: column.rows, row: String(key), ...pin })}` : "";
        const leads = page || (column.kind === "link" ? String(key) : "");
        if (LEADS.test(leads)) {
          const link = document.createElement("a");
          link.href = leads;
          if (!leads.startsWith("/")) link.target = "_blank";
          link.rel = "noopener";
          link.textContent = text;
          cell.append(link);
        } else cell.textContent = text;
      }
      some.append(line);
    }
    body.append(some);
  };
  const refill = () => {
    orders.set(box, order);
    for (const [place, head] of [...heads.cells].entries()) {
      if (place === order.column) head.setAttribute("aria-sort", order.way === 1 ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    }
    places = matching(rows, order.words);
    if (order.column >= 0) places = sorted(keys, places, order.column, order.way);
    body.replaceChildren();
    shown = 0;
    count.textContent = order.words
      ? `${places.length.toLocaleString("en")} of ${rows.length.toLocaleString("en")} rows`
      : `${rows.length.toLocaleString("en")} ${rows.length === 1 ? "row" : "rows"}`;
    more();
    scroller.scrollTop = 0;
  };
  scroller.addEventListener("scroll", () => {
    if (scroller.scrollTop + scroller.clientHeight > scroller.scrollHeight - 400 && shown < places.length) more();
  }, { passive: true });
  search.addEventListener("input", () => {
    order = { ...order, words: search.value };
    refill();
  });
  refill();
  box.replaceChildren(tools, scroller);
};
