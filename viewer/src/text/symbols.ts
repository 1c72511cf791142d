/** Names of quantities as mathematics: phi_M becomes φ with the subscript M. */

export interface Symbol {
  /** Body the quantity belongs to, or "". */
  owner: string;
  base: string;
  sub: string;
}

const greek: Record<string, string> = {
  alpha: 'α', beta: 'β', gamma: 'γ', delta: 'δ', epsilon: 'ε', zeta: 'ζ', eta: 'η', theta: 'θ', kappa: 'κ', lambda: 'λ', mu: 'μ', nu: 'ν',
  xi: 'ξ', rho: 'ρ', sigma: 'σ', tau: 'τ', phi: 'φ', chi: 'χ', psi: 'ψ', omega: 'ω', Lambda: 'Λ', Delta: 'Δ', Omega: 'Ω', Phi: 'Φ', Psi: 'Ψ',
};

const short: Record<string, [string, string]> = {
  vx: ['v', 'x'], vy: ['v', 'y'], vz: ['v', 'z'], wx: ['ω', 'x'], wy: ['ω', 'y'], wz: ['ω', 'z'],
  qw: ['q', 'w'], qx: ['q', 'x'], qy: ['q', 'y'], qz: ['q', 'z'],
};

function greekOr(word: string): string {
  return greek[word] ?? word;
}

export function symbolOf(name: string): Symbol {
  const dot = name.lastIndexOf('.');
  const owner = dot > 0 ? name.slice(0, dot).replace(/_/g, ' ') : '';
  const own = name.slice(dot + 1);
  const known = short[own];
  if (known) return { owner, base: known[0], sub: known[1] };
  const restitution = /^e([NT])(\d*)$/.exec(own);
  if (restitution) return { owner, base: 'e', sub: restitution[1]! + restitution[2]! };
  const numbered = /^(mu|phi|theta|omega|psi|alpha|beta|rho)(\d+)$/.exec(own);
  if (numbered) return { owner, base: greekOr(numbered[1]!), sub: numbered[2]! };
  const parts = own.split('_');
  if (parts.length > 1 && parts[0] !== '' && (parts[0]!.length === 1 || greek[parts[0]!])) {
    return { owner, base: greekOr(parts[0]!), sub: parts.slice(1).map(greekOr).join(' ') };
  }
  if (parts.length > 1) return { owner, base: parts.join(' '), sub: '' };
  return { owner, base: greekOr(own), sub: '' };
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

function isVariable(base: string): boolean {
  return [...base].length === 1;
}

export function symbolHtml(name: string): string {
  const { owner, base, sub } = symbolOf(name);
  const letter = isVariable(base) ? `<i>${escapeHtml(base)}</i>` : escapeHtml(base);
  return `${owner ? `${escapeHtml(owner)} ` : ''}${letter}${sub ? `<sub>${escapeHtml(sub)}</sub>` : ''}`;
}

/** For canvases, options of selects and CSV headings. */
export function symbolText(name: string): string {
  const { owner, base, sub } = symbolOf(name);
  return `${owner ? `${owner} ` : ''}${base}${sub ? `_${sub}` : ''}`;
}

/** A label with subscripts marked by "_" as HTML: "φ_M (rad)". */
export function labelHtml(label: string): string {
  return escapeHtml(label).replace(/(\p{L})_(\p{L}?\d+|\p{L})/gu, '$1<sub>$2</sub>');
}
