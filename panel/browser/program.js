// Which program made this page. When another one answers it, after a new version, the page comes anew from that one.

const KEY = "scaling-gap program";
const script = /** @type {HTMLElement | null} */ (document.querySelector("script[data-boot]"));

/** What stands for the program and the data this document was made with; empty where it does not say. */
export const program = script?.dataset["program"] ?? "";

/** @returns {string | null} the program the page was last brought anew for */
const tried = () => {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
};

if (tried() === program) sessionStorage.removeItem(KEY);

/**
 * Whether an answer is another program's, and the page has to come anew. It is tried once for each program: where
 * several serve side by side, a page stays as it is.
 * @param {string | undefined} answering
 */
export const outdated = (answering) => {
  if (!program || !answering || answering === program || tried() === answering) return false;
  try {
    sessionStorage.setItem(KEY, answering);
  } catch {
    return false;
  }
  return true;
};

/**
 * Bring the page of an address anew; nothing else happens here any more.
 * @param {string} address
 * @returns {Promise<never>}
 */
export const renew = (address) => {
  if (address === location.pathname + location.search) location.reload();
  else location.assign(address + location.hash);
  return new Promise(() => {});
};
