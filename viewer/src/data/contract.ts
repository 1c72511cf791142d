/** The data that the program writes into the page (CONTRACT.md). */

export interface Series {
  n: number;
  type: 'f4' | 'f8' | 'i4' | 'u1';
  b64: string;
}

export interface Page {
  picus: string;
  title: string;
  runs: Run[];
}

export interface Run {
  name: string;
  label: string;
  model: { name: string; title: string; source: string; description: string };
  command: string;
  summary: Summary;
  equations: string[];
  parameters: Parameter[];
  /** In the plane the tangent is the normal turned clockwise, times `turn` (1 when it is not told). */
  contacts: { name: string; mu: number | null; set?: number; turn?: 1 | -1 | 0; meaning?: string }[];
  frictionSets?: FrictionSet[];
  thinned: { rows: number; kept: number; note: string } | null;
  t: Series;
  columns: Column[];
  contactRows: ContactRows;
  dt: number;
  events: EventRows;
  eventKinds: string[];
  bands: { contact: number; from: Series; to: Series; state: Series }[];
  period: { from: number; to: number } | null;
  scene: Scene | null;
  figures: Figure[];
  /** Sentences of the program, shown instead of those that the page would make. */
  worries?: Worry[];
  proven?: string[];
  /** What the run belongs to; the page does not use it. */
  group?: string;
}

/** bad: do not trust the run; look: worth a look; fine: all is well. */
export type WorryLevel = 'bad' | 'look' | 'fine';

export interface Worry {
  level: WorryLevel;
  text: string;
}

/** Where contacts are, beside the rows they belong to: as many numbers for each row as the scene has dimensions. */
export interface PlaceSeries {
  /** World coordinates; NaN where they are not known. */
  place?: Series;
  /** Unit vector towards the body that Λ_N pushes. */
  normal?: Series;
  /** In space: unit vector along which Λ_T counts; Λ_O counts along normal × tangent. */
  tangent?: Series;
}

export interface EventRows extends PlaceSeries {
  t: Series;
  contact: Series;
  kind: Series;
  lambdaN: Series;
}

export interface Parameter {
  name: string;
  value: number;
  unit: string;
  meaning: string;
  changed: boolean;
}

/** In space: what friction can transmit, in units of mu·lambdaN. */
export interface FrictionSet {
  /** x, y of the points of its boundary along T and O. */
  outline: number[];
  /** The largest torsion about the normal, in m; 0: none. */
  torsion: number;
}

export interface ContactRows extends PlaceSeries {
  row: Series;
  contact: Series;
  state: Series;
  gap: Series;
  gammaN: Series;
  gammaT: Series;
  gammaO?: Series;
  gammaR?: Series;
  lambdaN: Series;
  lambdaT: Series;
  lambdaO?: Series;
  lambdaR?: Series;
  /** Friction as a share of the most that the contact can transmit, all its components together; NaN: no bound. */
  share?: Series;
}

export type Group = 'coordinate' | 'velocity' | 'output' | 'energy' | 'certificate';

export interface Column {
  name: string;
  unit: string;
  group: Group;
  data: Series;
}

export interface Scene {
  dimension: 2 | 3;
  box: number[];
  up: [number, number, number];
  frames: Frame[];
  shapes: SceneShape[];
  /** Times of the rows of motions, where they are fewer than the rows of the run. */
  t?: Series;
}

export interface Frame {
  name: string;
  fixed?: number[];
  columns?: string[];
}

export type ShapeKind =
  | 'point' | 'segment' | 'circle' | 'polygon' | 'spring' | 'half_plane'
  | 'sphere' | 'hollow_sphere' | 'half_space' | 'box';

export interface SceneShape {
  kind: ShapeKind;
  frame: number;
  numbers?: number[];
  motion?: Series;
  coils?: number;
  color?: string;
  fill?: string;
  label?: string;
}

export interface FigureAxis {
  label: string;
  from?: number;
  to?: number;
}

export interface Figure {
  title: string;
  x: FigureAxis;
  y: FigureAxis;
  lines: { x: string; y: string; label: string; run?: number }[];
  note?: string;
}

/** The part of summary.json that the page reads; every key may be absent in files of other versions. */
export interface Summary {
  model?: string;
  status?: string;
  message?: string;
  warnings?: string[];
  caution?: string;
  remarks?: string[] | string;
  parameters?: Record<string, number>;
  method?: string;
  theta?: number;
  impact?: string;
  solver?: string;
  dt?: number;
  end?: number;
  every?: number;
  tolerance?: number;
  steps?: number;
  wall_s?: number;
  certified_steps?: number;
  worst_residual?: number;
  contact_steps?: number;
  worst_penetration?: number;
  worst_drift?: number;
  multiple_solution_steps?: number;
  uniqueness_examined_steps?: number;
  impulses_without_collision?: number;
  first_impulse_without_collision?: { t: number; contact: string; Lambda_N: number };
  energy?: {
    start: number;
    end: number;
    work?: number;
    drive?: number;
    impact?: number;
    friction?: number;
    projection?: number;
    remainder?: number;
    gain_steps?: number;
    first_gain?: { t: number; contact: string; energy: number };
    largest_gain?: { t: number; contact: string; energy: number };
  };
  theory?: { states?: number; several?: number; none?: number };
  cycles?: { name?: string; impacts?: number; averaged?: number; period?: { mean: number; deviation: number } };
  version?: string;
}
