// Draws the drawing and the live chart of a figure below each other, and tells where the texts or marks of one are.
({
  draw: async ([drawing, figure]) => {
    document.body.innerHTML = `<div id=live></div><div id=still>${drawing}</div>`;
    await Plotly.newPlot('live', figure.data, figure.layout, {displayModeBar: false});
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  },
  where: ([name, seen]) => {
    const box = document.getElementById(name), {left, top} = box.getBoundingClientRect();
    const unseen = ({display, opacity}) => display == 'none' || opacity == '0';
    const hidden = e => e.id != name && (unseen(getComputedStyle(e)) || hidden(e.parentElement));
    return [...box.querySelectorAll(seen)].filter(e => !hidden(e))
        .map(e => [e.tagName == 'text' ? e.textContent : '', e.getBoundingClientRect()])
        .map(([text, r]) => [text, r.left - left, r.top - top, r.right - left, r.bottom - top]);
  },
})
