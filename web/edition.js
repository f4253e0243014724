// Makes the charts of an edition's page live where they come in sight, and its search answer. It follows chart.js and find.js.

/* global draw, find */
const dark = matchMedia("(prefers-color-scheme: dark)");
const told = (name) => JSON.parse(document.getElementById(name).textContent);
const live = (box) => draw(box, told(box.dataset.chart), dark.matches ? "dark" : "light");
const inSight = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    inSight.unobserve(target);
    void live(target);
  }
});
for (const box of document.querySelectorAll("[data-chart]")) inSight.observe(box);
dark.addEventListener("change", () => {
  for (const box of document.querySelectorAll("[data-drawn]")) void live(box);
});

const field = document.querySelector("#search input");
if (field) {
  const { entries } = told("entries");
  const list = document.querySelector("#search ul");
  const answer = () => {
    list.replaceChildren(
      ...find(entries, field.value, 30).map(([kind, title, more, href]) => {
        const line = document.createElement("li");
        line.append(Object.assign(document.createElement("a"), { href, textContent: title }), ` ${[kind, more].filter(Boolean).join(", ")}`);
        return line;
      }),
    );
  };
  field.addEventListener("input", answer);
  answer();
}
