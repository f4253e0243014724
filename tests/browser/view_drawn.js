({path, panel: whole, embedded}) => {
  const place = embedded ? "#first .panel.embedded" : whole;
  const panel = document.querySelector(`${place}[data-path="${path}"]:not(.dim)`);
  if (!panel || (!embedded && document.getElementById("first"))) return false;
  const further = panel.querySelector('[data-part="further"]');
  if (further && further.dataset.query === undefined) return false;
  const inSight = (box) => box.checkVisibility() &&
    box.getBoundingClientRect().top < innerHeight && box.getBoundingClientRect().bottom > 0;
  const charts = [...panel.querySelectorAll(".plot")];
  return charts.length > 0 && charts.every((box, number) => (number > 0 && !inSight(box)) ||
    (box.dataset.drawn && box.querySelector(".live.js-plotly-plot .main-svg")));
}
