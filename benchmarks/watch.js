// Watches a page from its first moment for benchmarks/browser.py: when it can be read, is live and redraws.

window.__plot = () => {
  const plot = document.querySelector('.js-plotly-plot');
  return plot && plot._fullData && plot.querySelector('.scatterlayer .trace') ? plot : null;
};
window.__signature = () => {
  const plot = window.__plot();
  return plot && plot._fullData.map(t => [t._length, t.x && t.x[0], t.y && t.y[0]].join()).join('|');
};
const first = () => {
  const finding = document.querySelector('.panel h1 ~ .chart :is(.chart-svg, .main-svg)');
  if (!window.__read && (finding || window.__plot()))
    requestAnimationFrame(() => { window.__read = performance.now(); });
  if (window.__plot()) requestAnimationFrame(() => { window.__drawn = performance.now(); });
  else requestAnimationFrame(first);
};
requestAnimationFrame(first);

// Notes how long the next click or change takes until the chart is another one.
window.__watchChange = () => {
  const before = window.__signature();
  let start = null;
  const begin = event => { start ??= event.timeStamp; };
  document.addEventListener('click', begin, {capture: true, once: true});
  document.addEventListener('change', begin, {capture: true, once: true});
  window.__redrawn = null;
  const look = () => {
    if (start !== null && window.__signature() && window.__signature() !== before)
      requestAnimationFrame(() => { window.__redrawn = performance.now() - start; });
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
};
