/** Functions that run inside a page. Each stands alone: nothing from outside is known there. */

/** Texts whose contrast to what is behind them is below WCAG AA: 4.5, or 3 for large ones. */
export function paleTexts() {
  const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const known = new Map();
  const rgba = (color) => {
    if (!known.has(color)) {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = color;
      pen.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
      known.set(color, [r, g, b, a / 255]);
    }
    return known.get(color);
  };
  const over = (top, a, bottom) => top.slice(0, 3).map((v, i) => v * a + bottom[i] * (1 - a));
  const luminance = (c) => {
    const [r, g, b] = c.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const root = rgba(getComputedStyle(document.body).backgroundColor).slice(0, 3);
  const found = new Map();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.textContent.trim();
    if (text === '' || !element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) || element.closest('.hidden-label, .katex-mathml, option')) continue;
    let chain = [];
    for (let e = element; e; e = e.parentElement) chain.push(e);
    let paper = root;
    let faded = 1;
    for (const e of chain.reverse()) {
      const style = getComputedStyle(e);
      const color = rgba(style.backgroundColor);
      faded *= Number(style.opacity);
      if (color[3] > 0) paper = over(color, color[3] * faded, paper);
    }
    const style = getComputedStyle(element);
    const ink = rgba(style.color);
    const drawn = over(ink, ink[3] * faded, paper);
    const [high, low] = [luminance(drawn), luminance(paper)].sort((a, b) => b - a);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < (large ? 3 : 4.5)) found.set(`${element.tagName}.${element.className} “${text.slice(0, 30)}”: ${ratio.toFixed(2)}`, true);
  }
  return [...found.keys()];
}

/** Whether a plot has coloured pixels, which axes and grid have not. */
export function plotHasColour(canvas) {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let i = 0; i < data.length; i += 4) {
    const [r, g, b] = [data[i], data[i + 1], data[i + 2]];
    if (data[i + 3] > 100 && Math.max(r, g, b) - Math.min(r, g, b) > 60) count++;
  }
  return count > 50;
}

/** What reaches beyond the right edge of the page, when the page scrolls sideways. */
export function scrollsSideways() {
  if (document.documentElement.scrollWidth <= window.innerWidth) return [];
  return [...document.querySelectorAll('body *')]
    .map((e) => ({ e, right: Math.round(e.getBoundingClientRect().right) }))
    .filter(({ right }) => right > window.innerWidth)
    .map(({ e, right }) => `${e.tagName}.${e.getAttribute('class')} to ${right}`);
}
