import type { Run, Scene, Series } from '../src/data/contract';

export function series(type: Series['type'], values: number[]): Series {
  const arrays = { f4: Float32Array, f8: Float64Array, i4: Int32Array, u1: Uint8Array };
  const bytes = new Uint8Array(new arrays[type](values).buffer);
  return { n: values.length, type, b64: Buffer.from(bytes).toString('base64') };
}

/** A scene in the plane with one body and one motion. */
export function smallScene(): Scene {
  return {
    dimension: 2, box: [-1, 1, 0, 1], up: [0, 0, 1], frames: [{ name: 'ball', columns: ['y', 'y', 'y'] }],
    shapes: [{ kind: 'circle', frame: 0, numbers: [0, 0, 0.1] }, { kind: 'point', frame: -1, motion: series('f4', [0, 0, 3, 6]) }],
    t: series('f8', [0, 0.3]),
  };
}

/** A run of four rows and two contacts. */
export function smallRun(): Run {
  return {
    name: 'ball', label: '', model: { name: 'ball', title: 'Ball', source: '', description: '' }, command: 'picus run ball', summary: {}, equations: [], parameters: [],
    contacts: [{ name: '1', mu: 0.3 }, { name: 'floor/ball', mu: null }], thinned: null, t: series('f8', [0, 0.1, 0.2, 0.3]),
    columns: [{ name: 'y', unit: 'm', group: 'coordinate', data: series('f4', [1, 0.5, 0, 0.5]) }],
    contactRows: {
      row: series('i4', [1, 2, 2]), contact: series('i4', [0, 0, 1]), state: series('u1', [1, 2, 0]), gap: series('f4', [0, 0, 0]),
      gammaN: series('f4', [0, 0, 0]), gammaT: series('f4', [0, 0, 0]), lambdaN: series('f4', [3, 4, 5]), lambdaT: series('f4', [0, 0, 0]),
    },
    dt: 0.1, events: { t: series('f8', [0.1, 0.2, 0.2]), contact: series('i4', [0, 0, 1]), kind: series('u1', [0, 1, 0]), lambdaN: series('f4', [3, 4, 5]) },
    eventKinds: ['impact', 'touch'], bands: [], period: null, scene: null, figures: [],
  };
}
