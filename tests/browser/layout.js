// What of a page's layout is wrong; `main` is the selector of the part of the page that scrolls.
({
  overlaps: () => {
    const found = [];
    for (const chart of document.querySelectorAll('.js-plotly-plot')) {
      const frame = chart.getBoundingClientRect();
      const texts = [...chart.querySelectorAll('.main-svg text')]
        .filter(text => text.textContent.trim() && !text.closest('.hoverlayer, .modebar'))
        .map(text => ({said: text.textContent, box: text.getBoundingClientRect()}))
        .filter(text => text.box.width > 0);
      for (const {said, box} of texts)
        if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1)
          found.push(`${said} is cut`);
      for (let i = 0; i < texts.length; i++) for (let j = i + 1; j < texts.length; j++) {
        const [a, b] = [texts[i].box, texts[j].box];
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (across > 1 && down > 4) found.push(`${texts[i].said} lies on ${texts[j].said}`);
      }
      const crossed = new Set();
      const map = chart.querySelector('.heatmaplayer image');
      for (const line of map ? [] : chart.querySelectorAll('.scatterlayer path.js-line')) {
        if (parseFloat(getComputedStyle(line).strokeWidth) === 0) continue;  // the edge of a band
        const place = line.getScreenCTM();
        for (let at = 0; at <= line.getTotalLength(); at += 3) {
          const {x, y} = line.getPointAtLength(at).matrixTransform(place);
          for (const {said, box} of texts)
            if (box.left + 1 < x && x < box.right - 1 && box.top + 5 < y && y < box.bottom - 5) crossed.add(said);
        }
      }
      for (const said of crossed) found.push(`${said} lies on a line`);
    }
    return found;
  },
  wider: (main) => {
    main = document.querySelector(main);
    const panel = document.querySelector('.panel');
    return Math.max(main.scrollWidth - main.clientWidth, document.documentElement.scrollWidth - innerWidth,
      panel ? panel.scrollWidth - panel.clientWidth : 0);
  },
  headings: (main) => [...document.querySelectorAll(`${main} :is(h1, h2, h3, h4, h5, h6)`)]
    .filter(heading => heading.offsetParent).map(heading => Number(heading.tagName[1])),
  cut: () => [...document.querySelectorAll(
      `.panel :is(.fields .name, button, select, .figures dt, .figures dd), .bar *`)]
    .filter(one => one.offsetParent && one.scrollWidth > one.clientWidth + 1).map(one => one.innerText),
  // The key figures whose button stands alone on a line.
  alone: () => [...document.querySelectorAll('.panel .figures dd:has(small)')]
    .filter(one => one.querySelector('.help')?.getBoundingClientRect().top >=
      one.querySelector('small').getBoundingClientRect().bottom).map(one => one.innerText),
})
