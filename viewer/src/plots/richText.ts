/** Text on a canvas with "_x" as a subscript, centred at a place. */
export function drawRichText(ctx: CanvasRenderingContext2D, text: string, x: number, y: number, angle: number, size: number, color: string): void {
  const family = 'system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif';
  const parts = splitSubscripts(text);
  const fontOf = (sub: boolean): string => `${sub ? size * 0.75 : size}px ${family}`;
  const widths = parts.map((part) => {
    ctx.font = fontOf(part.sub);
    return ctx.measureText(part.text).width;
  });
  ctx.save();
  ctx.translate(x, y);
  ctx.rotate(angle);
  ctx.fillStyle = color;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'alphabetic';
  let at = -widths.reduce((sum, w) => sum + w, 0) / 2;
  parts.forEach((part, i) => {
    ctx.font = fontOf(part.sub);
    ctx.fillText(part.text, at, part.sub ? size * 0.25 : 0);
    at += widths[i]!;
  });
  ctx.restore();
}

/** "φ_S (rad)" as φ, S below, and the rest. */
export function splitSubscripts(text: string): { text: string; sub: boolean }[] {
  const parts: { text: string; sub: boolean }[] = [];
  let last = 0;
  for (const match of text.matchAll(/(?<=\p{L})_(\p{L}?\d+|\p{L})/gu)) {
    if (match.index > last) parts.push({ text: text.slice(last, match.index), sub: false });
    parts.push({ text: match[1]!, sub: true });
    last = match.index + match[0].length;
  }
  if (last < text.length) parts.push({ text: text.slice(last), sub: false });
  return parts;
}
