/** Signs for buttons, drawn here because fonts differ in the ones they have. */
const paths = {
  play: 'M7 4.5v15l12-7.5z',
  pause: 'M6.5 5h4v14h-4zM13.5 5h4v14h-4z',
  nextRow: 'M7 5.5v13l8-6.5zM16 5.5h2v13h-2z',
  previousRow: 'M17 5.5v13L9 12zM6 5.5h2v13H6z',
  nextEvent: 'M4 5.5v13l7-6.5zM11 5.5v13l7-6.5zM18.5 5.5h2v13h-2z',
  previousEvent: 'M20 5.5v13L13 12zM13 5.5v13L6 12zM3.5 5.5h2v13h-2z',
} as const;

export type IconName = keyof typeof paths;

export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', paths[name]);
  svg.append(path);
  return svg;
}
