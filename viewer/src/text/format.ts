/** Numbers as people read them: typographic minus, powers of ten in superscript. */

const minus = '−';
const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

function superscript(exponent: number): string {
  const digits = [...String(Math.abs(exponent))].map((d) => superscripts[Number(d)]).join('');
  return exponent < 0 ? `⁻${digits}` : digits;
}

export function typographic(text: string): string {
  const power = /^(-?)([\d.]+)e([+-]?\d+)$/.exec(text);
  if (!power) return text.replace('-', minus);
  const mantissa = power[2] === '1' ? '' : `${power[2]}·`;
  return `${power[1] ? minus : ''}${mantissa}10${superscript(Number(power[3]))}`;
}

/** A number to some significant digits, without trailing zeros. */
export function formatNumber(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : `${minus}∞`;
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split('e') as [string, string];
    return typographic(`${Number(mantissa)}e${Number(exponent)}`);
  }
  return typographic(String(Number(value.toPrecision(digits))));
}

export function formatWithUnit(value: number | null | undefined, unit: string, digits = 4): string {
  const number = formatNumber(value, digits);
  return unit && unit !== '1' && number !== '–' ? `${number} ${unit}` : number;
}

/** A share of a bound in percent; what is a thousandth of a percent is nothing. */
export function formatShare(share: number): string {
  if (Number.isNaN(share)) return '–';
  return `${share < 1e-5 ? '0' : formatNumber(share * 100, 3)} %`;
}

const thinSpace = '\u2009';

export function formatCount(count: number): string {
  return typographic(String(Math.round(count))).replace(/\B(?=(\d{3})+(?!\d))/g, thinSpace);
}

/** A time with as many decimals as a run of this length needs. */
export function formatTime(time: number, span: number): string {
  const decimals = Math.min(Math.max(4 - Math.floor(Math.log10(Math.max(span, 1e-12))), 1), 9);
  return typographic(time.toFixed(decimals));
}

/** 0.02 as "1/50 ×". */
export function formatSpeed(speed: number): string {
  if (speed >= 1) return `${formatNumber(speed)} ×`;
  return `1/${Math.round(1 / speed)} ×`;
}

/** Fewest digits that give the same number back, of a number stored with 32 or 64 bits. */
export function shortestDigits(value: number, single: boolean): string {
  if (Number.isNaN(value)) return '';
  if (!single) return String(value);
  for (let digits = 1; digits < 9; digits++) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return String(Number(text));
  }
  return String(Number(value.toPrecision(9)));
}
