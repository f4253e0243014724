// What a reader chose on the page they come from is offered on the next, and never taken over unasked.

/** Settings that mean the same on every page that has them. */
const CARRIED = ["model", "release"];

/** @typedef {{name: string, value: string, label: string}} Offer */

/**
 * What of the page a reader comes from could be chosen here too.
 * @param {HTMLElement} from   the page before
 * @param {HTMLElement} to     the page now
 * @returns {Offer[]}
 */
export const offers = (from, to) =>
  CARRIED.flatMap((name) => {
    const [before, here] = [from, to].map((page) => page.querySelector(`.controls select[name="${name}"]`));
    if (!(before instanceof HTMLSelectElement) || !(here instanceof HTMLSelectElement)) return [];
    const { value } = before;
    const option = [...here.options].find((one) => one.value === value);
    if (!option || value === before.dataset["default"] || value === here.value || here.value !== here.dataset["default"]) return [];
    return [{ name, value, label: option.text }];
  });

/** The page a reader came from by the menu, and the one they are on. @type {{from: HTMLElement, to: HTMLElement} | null} */
let way = null;

const show = () => {
  if (!way) return;
  const { from, to } = way;
  to.querySelector(".offers")?.replaceChildren(
    ...offers(from, to).map(({ name, value, label }) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "chip offer";
      button.textContent = `Carry over: ${label}`;
      button.addEventListener("click", () => {
        const control = to.querySelector(`.controls select[name="${name}"]`);
        if (!(control instanceof HTMLSelectElement)) return;
        control.value = value;
        control.dispatchEvent(new Event("change", { bubbles: true }));
      });
      return button;
    }),
  );
};
document.addEventListener("shown", show);

/** @type {HTMLElement | null} */
let last = null;

/** A reader has come to a page: what they chose on the page before is offered there. @param {HTMLElement} page */
export const arrived = (page) => {
  way = last && last !== page ? { from: last, to: page } : null;
  last = page;
  show();
};
