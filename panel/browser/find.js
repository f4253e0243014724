// Which entries of the search fit what was typed, the best first.

/** @typedef {[kind: string, title: string, more: string, href: string, words?: string]} Entry */

export const MOST = 12;
/** Settings have the same name on many pages: no more of one name are shown. */
const MOST_ALIKE = 3;
/** What a reader most likely wants, of entries that fit equally. @type {Record<string, number>} */
const BY_KIND = { Page: 0, Question: 0.4, Term: 0.7, Method: 0.7, Setting: 0.8, Table: 0.9, Claim: 1, Row: 0.95 };
const OTHER_KIND = 0.95;
/** Words that say nothing of what is looked for. */
const EMPTY = new Set(
  ("a an and any are at be by can could do does did for from get has have how i if in is it its me my of on or our should so tell than that the their there this to " +
    "was we were what when where which who why will with would you your much many").split(" "),
);
/** Words that mean nearly the same here. */
const ALIKE = [
  ["accelerator", "chip", "gpu"], ["cost", "price", "expensive", "cheap"], ["vendor", "maker", "company"], ["speed", "fast", "latency"], ["error", "accuracy", "wrong"],
  ["memory", "hbm", "dram"], ["inference", "serving"], ["uncertainty", "interval", "confidence"], ["forecast", "projection", "prediction"], ["rent", "cloud"], ["power", "energy", "electricity"],
];

/** Text as it is compared: without case and accents, numbers together with their signs. @param {string} text */
const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("×", "x").replace(/(\d)\s+(%|x\b)/g, "$1$2");

/** Names are written with and without hyphens and spaces. @param {string} text */
const joined = (text) => text.replace(/[\s-]+/g, "");

/** A word without the ending of its plural. @param {string} word */
const stem = (word) => (word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word);

/** Where a word of a text begins with this; -1 for nowhere. @param {string} text @param {string} word */
const wordStart = (text, word) => {
  let at = text.indexOf(word);
  while (at > 0 && /[\p{L}\p{N}.]/u.test(text[at - 1] ?? "")) at = text.indexOf(word, at + 1);
  return at;
};

/** How well one word fits, less is better; null where it does not. @param {string} word @param {Prepared} entry */
const fit = (word, { title, tight, more, words }) => {
  const at = wordStart(title, word);
  if (at >= 0) {
    const rest = title.slice(at + word.length);
    return (at ? 0.4 : 0) + (/^s?($|[^\p{L}\p{N}.])/u.test(rest) ? 0 : 0.6);
  }
  if (words.includes(` ${word}`)) return 0.9;
  const within = word.length > 2 ? tight.indexOf(joined(word)) : -1;
  if (within >= 0) return within ? 2.5 : 1;
  return more.includes(` ${word}`) ? 2 : more.includes(word) ? 3 : null;
};

/** @typedef {{entry: Entry, title: string, tight: string, more: string, words: string}} Prepared */
/** @type {WeakMap<Entry, Prepared>} */
const prepared = new WeakMap();

/** @param {Entry} entry @returns {Prepared} */
const prepare = (entry) => {
  const known = prepared.get(entry);
  if (known) return known;
  const [kind, name, more, , words] = entry;
  const title = plain(name);
  const made = { entry, title, tight: joined(title), more: plain(` ${kind} ${more}`), words: plain(` ${words ?? ""}`) };
  prepared.set(entry, made);
  return made;
};

/** How well a word, or one that means the same, fits. @param {string} word @param {Prepared} entry */
const fitAny = (word, entry) => {
  const own = fit(word, entry);
  if (own !== null && own < 1) return own;
  const same = ALIKE.find((words) => words.includes(word))?.filter((one) => one !== word) ?? [];
  const others = same.map((one) => fit(one, entry)).filter((one) => one !== null);
  const best = Math.min(own ?? Infinity, ...others.map((one) => one + 1));
  return Number.isFinite(best) ? best : null;
};

/** Two chips set against each other, the first of them pinned, where both are known by name. @param {Entry[]} entries @param {string} text @returns {Entry[]} */
const comparison = (entries, text) => {
  const sides = plain(text).split(/\s+(?:vs\.?|versus|against|compared (?:to|with)|or)\s+/);
  if (sides.length !== 2) return [];
  const chips = entries.filter(([kind, , , href]) => kind === "Chip" && href.startsWith("/training-run?"));
  const [one, other] = sides.map((side) => find(chips, `${side} sxm`, 1)[0] ?? find(chips, side, 1)[0]);
  if (!one || !other || one === other) return [];
  const pinned = encodeURIComponent(one[3].split("?")[1] ?? "");
  return [["Compare", `${one[1]} vs ${other[1]}`, one[2], `${other[3]}&vs=${pinned}`], one, other];
};

/**
 * The entries that fit, the best first; of equals the one listed first. One word in three may be missing.
 * @param {Entry[]} entries
 * @param {string} text
 * @param {number} [most]
 * @param {string} [here]  the page a reader is on, whose settings come first
 * @returns {Entry[]}
 */
export const find = (entries, text, most = MOST, here = "") => {
  const whole = plain(text).trim().replace(/[?!.]+$/, "");
  const all = whole.split(/[\s,;:()"“”]+/).filter(Boolean);
  if (!all.length) return entries.filter(([kind]) => kind === "Page");
  const said = all.filter((word) => !EMPTY.has(word)).map(stem);
  const words = said.length ? said : all;
  const tight = joined(whole);
  const mayMiss = Math.floor(words.length / 3);
  /** @type {{entry: Entry, score: number}[]} */
  const found = [];
  for (const one of entries.map(prepare)) {
    const fits = words.map((word) => fitAny(word, one));
    const missing = fits.filter((each) => each === null).length;
    if (missing > mayMiss) continue;
    const [kind, , , href] = one.entry;
    const sum = fits.reduce((/** @type {number} */ total, each) => total + (each ?? 0), 0);
    const named = one.tight === tight;
    const score = (named ? -1 : sum / (words.length - missing)) - (words.length < all.length && one.title.includes(whole) ? 0.6 : 0) + 3 * missing + (BY_KIND[kind] ?? OTHER_KIND)
      - (here && kind === "Setting" && href.startsWith(`${here}#`) ? 0.2 : 0);
    found.push({ entry: one.entry, score });
  }
  found.sort((one, other) => one.score - other.score);
  /** @type {Map<string, number>} */
  const seen = new Map();
  const few = found.map(({ entry }) => entry).filter(([kind, title]) => {
    const times = (seen.get(kind + title) ?? 0) + 1;
    seen.set(kind + title, times);
    return times <= MOST_ALIKE;
  });
  return [...new Set([...comparison(entries, text), ...few])].slice(0, most);
};
