// The address of a view is its link: what is off its default, and nothing else.

/** @typedef {{name: string, value: string, initial: string}} Held  A control: its value, and its default. */

/** Parameters that belong to the frame around a view; they stay whatever is chosen. */
const FRAME = ["embed", "embed_options", "present"];

/**
 * The query that says what is off its default, in the order of the controls.
 * @param {Held[]} controls
 * @returns {string}
 */
export const queryOf = (controls) => {
  const query = new URLSearchParams();
  for (const { name, value, initial } of controls) if (value !== initial) query.append(name, value);
  return query.toString();
};

/**
 * The same query with one control holding another value.
 * @param {Held[]} controls
 * @param {string} name
 * @param {string} value
 */
export const queryWith = (controls, name, value) =>
  queryOf(controls.map((one) => (one.name === name ? { ...one, value } : one)));

/**
 * What of an address belongs to the view, without what belongs to the frame around it or to a campaign.
 * @param {string} search  location.search
 */
export const viewQuery = (search) => {
  const query = new URLSearchParams(search);
  for (const name of [...query.keys()])
    if (FRAME.includes(name) || name.startsWith("utm_")) query.delete(name);
  return query.toString();
};

/**
 * The address of a view with these choices, the frame's own parameters kept.
 * @param {string} path
 * @param {string} query
 * @param {string} [search]  location.search
 */
export const addressOf = (path, query, search = "") => {
  const frame = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(search)) if (FRAME.includes(name)) frame.append(name, value);
  const whole = [query, frame.toString()].filter(Boolean).join("&");
  return whole ? `${path}?${whole}` : path;
};

/**
 * Take out of the address what of a link could not be used: it is said once.
 * @param {{ignored?: Record<string, string>, query: string}} finding
 */
export const tidy = ({ ignored = {}, query }) => {
  const { pathname, search, hash } = location;
  if (Object.keys(ignored).length)
    history.replaceState(history.state, "", addressOf(pathname, query, search) + hash);
};

/**
 * Where an answer of a view is fetched.
 * @param {string} view   its name, as in its files
 * @param {string} query
 * @param {Record<string, string | number>} [options]  what is asked for, beside the view's own settings
 */
export const answerAddress = (view, query, options = {}) => {
  const own = Object.entries(options).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `/${view}.panel.json?${[query, ...own].filter(Boolean).join("&")}`;
};
