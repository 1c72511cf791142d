import type { Page, Series } from './contract';

export type Numbers = Float32Array | Float64Array | Int32Array | Uint8Array;

const bytesPerValue = { f4: 4, f8: 8, i4: 4, u1: 1 } as const;

function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Little-endian raw values; every machine with a browser of today is little-endian itself. */
export function decodeSeries(series: Series): Numbers {
  const bytes = bytesOfBase64(series.b64);
  if (bytes.length !== series.n * bytesPerValue[series.type]) {
    throw new Error(`a series of ${series.n} values of type ${series.type} holds ${bytes.length} bytes`);
  }
  switch (series.type) {
    case 'f4': return new Float32Array(bytes.buffer);
    case 'f8': return new Float64Array(bytes.buffer);
    case 'i4': return new Int32Array(bytes.buffer);
    case 'u1': return bytes;
  }
}

/** The page's data, or null when the template was opened as it is. */
export function parsePage(text: string): Page | null {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.startsWith('__')) return null;
  return JSON.parse(trimmed) as Page;
}
