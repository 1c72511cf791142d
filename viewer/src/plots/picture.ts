import type { Pieces } from './decimate';
import type { PaperColors } from '../theme';

/** A plot as it is seen, ready to be written in another form. */
export interface Picture {
  title: string;
  width: number;
  height: number;
  /** Inside of the axes. */
  frame: { left: number; top: number; width: number; height: number };
  xLabel: string;
  yLabel: string;
  xTicks: { at: number; label: string }[];
  yTicks: { at: number; label: string }[];
  lines: { label: string; color: string; dash: readonly number[]; pieces: Pieces }[];
  bands: { x: number; y: number; width: number; height: number; color: string }[];
  legend: { label: string; color: string; dash: readonly number[]; filled: boolean }[];
  colors: PaperColors;
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!);
}

/** Text with "_x" as a subscript. */
function richText(text: string): string {
  return escapeXml(text).replace(/(\p{L})_(\p{L}?\d+|\p{L})/gu, '$1<tspan dy="3" font-size="75%">$2</tspan><tspan dy="-3">\u200b</tspan>');
}

function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}

export function pathData(pieces: Pieces): string {
  return pieces
    .map((piece) => {
      if (piece.length === 2) return `M${short(piece[0]!)} ${short(piece[1]!)}h0`;
      let text = '';
      for (let i = 0; i < piece.length; i += 2) text += `${i === 0 ? 'M' : 'L'}${short(piece[i]!)} ${short(piece[i + 1]!)}`;
      return text;
    })
    .join('');
}

const legendRow = 20;
const textWidth = 7;

interface Placed {
  x: number;
  y: number;
  entry: Picture['legend'][number];
}

function placeLegend(picture: Picture): { placed: Placed[]; height: number } {
  const placed: Placed[] = [];
  let x = picture.frame.left;
  let y = picture.height + 16;
  for (const entry of picture.legend) {
    const width = 34 + entry.label.length * textWidth + 12;
    if (x > picture.frame.left && x + width > picture.width) {
      x = picture.frame.left;
      y += legendRow;
    }
    placed.push({ x, y, entry });
    x += width;
  }
  return { placed, height: picture.legend.length > 0 ? y + 12 : picture.height + 4 };
}

/** The plot with axes, lines and legend as vectors. */
export function svgOfPicture(picture: Picture): string {
  const { frame, colors } = picture;
  const titleHeight = 30;
  const legend = placeLegend(picture);
  const height = legend.height + titleHeight;
  const right = frame.left + frame.width;
  const bottom = frame.top + frame.height;
  const parts: string[] = [];
  parts.push(`<svg xmlns="http://www.w3.org/2000/svg" width="${short(picture.width)}" height="${short(height)}" viewBox="0 ${-titleHeight} ${short(picture.width)} ${short(height)}" font-family="system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif" font-size="12">`);
  parts.push(`<title>${escapeXml(picture.title)}</title>`);
  parts.push(`<rect x="0" y="${-titleHeight}" width="100%" height="100%" fill="${colors.background}"/>`);
  parts.push(`<text x="${short(frame.left)}" y="-10" font-size="14" font-weight="600" fill="${colors.text}">${richText(picture.title)}</text>`);
  parts.push(`<clipPath id="inside"><rect x="${short(frame.left)}" y="${short(frame.top)}" width="${short(frame.width)}" height="${short(frame.height)}"/></clipPath>`);
  parts.push(`<g class="axes" stroke="${colors.grid}" fill="none">`);
  for (const tick of picture.xTicks) parts.push(`<line x1="${short(tick.at)}" y1="${short(frame.top)}" x2="${short(tick.at)}" y2="${short(bottom)}"/>`);
  for (const tick of picture.yTicks) parts.push(`<line x1="${short(frame.left)}" y1="${short(tick.at)}" x2="${short(right)}" y2="${short(tick.at)}"/>`);
  parts.push(`<rect x="${short(frame.left)}" y="${short(frame.top)}" width="${short(frame.width)}" height="${short(frame.height)}" stroke="${colors.faint}"/></g>`);
  parts.push(`<g class="labels" fill="${colors.faint}">`);
  for (const tick of picture.xTicks) parts.push(`<text x="${short(tick.at)}" y="${short(bottom + 16)}" text-anchor="middle">${escapeXml(tick.label)}</text>`);
  for (const tick of picture.yTicks) parts.push(`<text x="${short(frame.left - 6)}" y="${short(tick.at + 4)}" text-anchor="end">${escapeXml(tick.label)}</text>`);
  if (picture.xLabel) parts.push(`<text x="${short(frame.left + frame.width / 2)}" y="${short(bottom + 33)}" text-anchor="middle">${richText(picture.xLabel)}</text>`);
  if (picture.yLabel) parts.push(`<text transform="translate(12 ${short(frame.top + frame.height / 2)}) rotate(-90)" text-anchor="middle">${richText(picture.yLabel)}</text>`);
  parts.push('</g><g class="data" clip-path="url(#inside)">');
  for (const band of picture.bands) {
    parts.push(`<rect class="band" x="${short(band.x)}" y="${short(band.y)}" width="${short(Math.max(band.width, 0.5))}" height="${short(band.height)}" fill="${band.color}"/>`);
  }
  for (const line of picture.lines) {
    const dash = line.dash.length > 0 ? ` stroke-dasharray="${line.dash.join(' ')}"` : '';
    parts.push(`<path class="line" d="${pathData(line.pieces)}" fill="none" stroke="${line.color}" stroke-width="1.6" stroke-linejoin="round" stroke-linecap="round"${dash}><title>${escapeXml(line.label)}</title></path>`);
  }
  parts.push('</g><g class="legend">');
  for (const { x, y, entry } of legend.placed) {
    parts.push(
      entry.filled
        ? `<rect x="${short(x)}" y="${short(y - 10)}" width="22" height="10" fill="${entry.color}"/>`
        : `<line x1="${short(x)}" y1="${short(y - 4)}" x2="${short(x + 24)}" y2="${short(y - 4)}" stroke="${entry.color}" stroke-width="2.5"${entry.dash.length > 0 ? ` stroke-dasharray="${entry.dash.join(' ')}"` : ''}/>`,
    );
    parts.push(`<text x="${short(x + 30)}" y="${short(y)}" fill="${colors.text}">${richText(entry.label)}</text>`);
  }
  parts.push('</g></svg>');
  return parts.join('');
}

/** The same picture as pixels: the browser draws the vectors. */
export async function pngOfSvg(svg: string, scale: number): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(image.width * scale);
  canvas.height = Math.round(image.height * scale);
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture could not be made'))), 'image/png');
  });
}
