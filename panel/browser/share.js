// Share: one dialog with the links, the files, the frame and the citation of the view in sight.

import { copy } from "./copy.js";

const WAITING = '<h2 id="share-title">Share this view</h2><p role="status">One moment …</p>';

/**
 * Open the dialog; its content comes from the server, so a citation names today and a link the release.
 * What the page shows may change behind it: then it is asked for anew.
 * @param {HTMLElement} panel
 * @param {() => Promise<{html: string}>} content
 */
export const openShare = async (panel, content) => {
  const dialog = Object.assign(document.createElement("dialog"), { className: "share" });
  dialog.setAttribute("aria-labelledby", "share-title");
  dialog.innerHTML = '<button type="button" class="close" aria-label="Close">×</button><div></div>';
  const [close, box] = /** @type {[HTMLElement, HTMLElement]} */ (/** @type {unknown} */ ([...dialog.children]));
  close.onclick = () => dialog.close();
  let asked = 0;
  const fill = async () => {
    const mine = (asked += 1);
    box.innerHTML = WAITING;
    const html = await content().then(
      (answer) => answer.html,
      (problem) => {
        const line = Object.assign(document.createElement("p"), { role: "alert" });
        line.textContent = `The links could not be created: ${/** @type {Error} */ (problem).message}`;
        return `<h2 id="share-title">Share this view</h2>${line.outerHTML}`;
      },
    );
    if (mine === asked) box.innerHTML = html;
  };
  panel.addEventListener("shown", fill);
  dialog.addEventListener("close", () => {
    panel.removeEventListener("shown", fill);
    dialog.remove();
  });
  dialog.addEventListener("change", ({ target: colours }) => {
    if (!(colours instanceof HTMLSelectElement)) return;
    const asked = colours.value ? `embed=true&amp;embed_options=${colours.value}` : "embed=true";
    for (const box of dialog.querySelectorAll("textarea[data-code]")) {
      box.textContent = (box.getAttribute("data-code") ?? "").replace("embed=true", asked);
      box.nextElementSibling?.setAttribute("data-copy", box.textContent);
    }
  });
  dialog.addEventListener("click", async (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (target === dialog) dialog.close();
    const button = target.closest("button");
    if (!button || button === close) return;
    const said = dialog.querySelector(".said");
    if (said) said.textContent = "";
    const words = await copy(button);
    if (said) said.textContent = words;
  });
  panel.append(dialog);
  dialog.showModal();
  await fill();
};
