// All that our scripts know of Streamlit's own page; tests/pages/test_streamlit_internals.py says what a new one has lost.

/** @param {string} id */
const part = (id) => `[data-testid="${id}"]`;

/** Where Streamlit draws; it holds its theme. */
export const ROOT = "root";
export const APP = ".stApp";
export const MAIN = part("stMain");
export const CONTENT = part("stMainBlockContainer");
/** What of its own leads to a page of ours. */
export const LEADS = `${part("stPageLink")} a`;
export const DROPZONE = part("stFileUploaderDropzone");
export const FORMULA = ".katex-display";

/** @param {string} key  that the server gave a widget */
export const keyed = (key) => `.st-key-${key}`;

/** What closes Streamlit's word that its socket is gone; null where that is not shown. */
export const lostConnection = () => {
  const dialog = document.querySelector(`${part("stDialog")} [role="dialog"]`);
  const close = dialog?.textContent?.startsWith("Connection error") && dialog.querySelector('button[aria-label="Close"]');
  return close instanceof HTMLElement ? close : null;
};

/** Where it keeps a reader's theme: by the address it was started at. */
export const themeKey = () => `stActiveTheme-${location.pathname}-v2`;

/** Have it take a theme, by its own menu, which is out of sight. @param {string} name  Dark, Light or System */
export const takeTheme = async (name) => {
  const press = async (/** @type {string} */ id) => {
    const button = document.querySelector(part(id));
    if (button instanceof HTMLElement) button.click();
    await new Promise((resolve) => setTimeout(resolve));
  };
  for (const id of ["stMainMenuButton", `stMainMenuItem-theme-${name}`, "stMainMenuButton"]) await press(id);
};

/** Tell it what it would ask its server, before it starts. */
export const introduce = () => {
  /** @type {any} */ (window).__streamlit = {
    BACKEND_BASE_URL: location.origin,
    HOST_CONFIG: { allowedOrigins: [], useExternalAuthToken: false },
  };
};
