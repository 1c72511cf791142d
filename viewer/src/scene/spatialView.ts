import {
  AmbientLight, ArrowHelper, BackSide, BoxGeometry, BufferGeometry, CanvasTexture, Color, ConeGeometry, CylinderGeometry, DirectionalLight, DoubleSide, Float32BufferAttribute, GridHelper, Group,
  HemisphereLight, InstancedMesh, Matrix4, Mesh, MeshBasicMaterial, MeshLambertMaterial, PCFShadowMap, PerspectiveCamera, PlaneGeometry,
  Quaternion, Scene, SphereGeometry, SRGBColorSpace, Vector3, WebGLRenderer, type Material, type Object3D,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { frictionSetOf } from '../data/friction';
import { instantAt, type Instant } from '../data/lookup';
import type { DecodedShape, RunData } from '../data/run';
import { isDark, lineColor } from '../theme';
import { el } from '../ui/dom';
import { ContactEffects, type ContactEffect } from './effects';
import { wheelGuard } from './gestures';
import { Pace, quality, segmentsOf, type Quality } from './quality';
import type { SceneView } from './view';

/** Lines of latitude and longitude for what stands still: its curve is seen better. */
function graticule(anisotropy: number): CanvasTexture {
  const canvas = el('canvas', { width: '1024', height: '512' });
  const ctx = canvas.getContext('2d')!;
  ctx.fillStyle = '#ffffff';
  ctx.fillRect(0, 0, 1024, 512);
  ctx.fillStyle = '#c3cad1';
  for (let x = 0; x < 1024; x += 1024 / 32) ctx.fillRect(x, 0, 2, 512);
  for (let y = 0; y < 512; y += 512 / 16) ctx.fillRect(0, y, 1024, 2);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = anisotropy;
  return texture;
}

/** Stripes and a dark cap, so that every rotation is seen. */
function stripes(): CanvasTexture {
  const canvas = el('canvas', { width: '256', height: '128' });
  const ctx = canvas.getContext('2d')!;
  for (let i = 0; i < 8; i++) {
    ctx.fillStyle = i % 2 === 0 ? '#ffffff' : '#b4bac2';
    ctx.fillRect(i * 32, 0, 32, 128);
  }
  ctx.fillStyle = '#39414a';
  ctx.fillRect(0, 0, 256, 12);
  ctx.fillRect(0, 61, 256, 6);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  return texture;
}

/** A convex region about the origin with this boundary: x, y of each point. */
function sheet(outline: readonly number[]): BufferGeometry {
  const points = outline.length / 2;
  const positions = [0, 0, 0];
  const corners: number[] = [];
  for (let i = 0; i < points; i++) {
    positions.push(outline[2 * i]!, outline[2 * i + 1]!, 0);
    corners.push(0, i + 1, ((i + 1) % points) + 1);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(positions, 3));
  geometry.setIndex(corners);
  return geometry;
}

/** A box with half sides, and the axes x, y, z of its body in red, green and blue. */
function brick(n: readonly number[], color: string, shadows: boolean): Group {
  const [cx = 0, cy = 0, cz = 0, hx = 1, hy = 1, hz = 1] = n;
  const group = new Group();
  const solid = new Mesh(new BoxGeometry(2 * hx, 2 * hy, 2 * hz), new MeshLambertMaterial({ color }));
  solid.castShadow = solid.receiveShadow = shadows;
  group.add(solid);
  const half = [hx, hy, hz];
  const longest = Math.max(...half);
  ['#c03030', '#309030', '#3050c0'].forEach((axisColor, k) => {
    const axis = new Vector3(k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0);
    group.add(new ArrowHelper(axis, axis.clone().multiplyScalar(half[k]!), 0.35 * longest, axisColor, 0.12 * longest, 0.08 * longest));
  });
  group.position.set(cx, cy, cz);
  return group;
}

interface MovingSphere {
  columns: ArrayLike<number>[] | null;
  motion: DecodedShape | null;
  centre: Vector3;
  radius: number;
}

const upZ = new Vector3(0, 0, 1);
const upY = new Vector3(0, 1, 0);
const mostMarks = 256;

/** A scene in space with three.js. */
export class SpatialView implements SceneView {
  readonly element = el('div', { class: 'view' });
  chosenContact = -1;
  readonly following = null;
  onStale: () => void = () => undefined;
  /** Called when a person turned the camera. */
  onCamera: () => void = () => undefined;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera: PerspectiveCamera;
  private readonly controls: OrbitControls;
  private readonly effects: ContactEffects;
  private readonly spheres: MovingSphere[] = [];
  private readonly carriers = new Map<number, { group: Group; columns: ArrayLike<number>[] | null }>();
  private readonly instances: InstancedMesh;
  private readonly shafts: InstancedMesh;
  private readonly heads: InstancedMesh;
  private readonly flashes: InstancedMesh;
  private readonly quality: Quality = { ...quality() };
  private readonly pace = new Pace(() => this.drawLess());
  private readonly disk: Mesh;
  private readonly diskPoint: Mesh;
  /** The contact whose friction set `disk` is. */
  private diskOf = -1;
  private readonly centre = new Vector3();
  private readonly size: number;
  private readonly grid: GridHelper | null;
  /** Floors without a colour of their own; they are dark where the page is. */
  private readonly grounds: MeshLambertMaterial[] = [];
  /** Impulses point into the body they push: they are drawn over it. */
  private readonly arrowMaterial = new MeshBasicMaterial({ depthTest: false, transparent: true });
  private copying = false;
  private readonly matrix = new Matrix4();
  private readonly position = new Vector3();
  private readonly turn = new Quaternion();
  private readonly next = new Quaternion();
  private readonly stretch = new Vector3();
  private readonly local = new Vector3();
  private readonly across = new Vector3();
  private readonly third = new Vector3();

  constructor(private readonly run: RunData) {
    const scene = run.scene!;
    const [x0, x1, y0, y1, z0, z1] = scene.box as [number, number, number, number, number, number];
    this.centre.set((x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2);
    this.size = Math.hypot(x1 - x0, y1 - y0, z1 - z0) || 1;
    this.effects = new ContactEffects(run);

    this.renderer = new WebGLRenderer({ antialias: this.quality.antialias });
    this.renderer.shadowMap.enabled = this.quality.shadows;
    this.renderer.shadowMap.type = PCFShadowMap;
    const canvas = this.renderer.domElement;
    canvas.className = 'surface';
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', `Animation of ${run.source.model.title || run.label}`);
    this.element.append(canvas);

    this.camera = new PerspectiveCamera(40, 1, this.size / 200, this.size * 60);
    this.camera.up.set(...scene.up);
    this.controls = new OrbitControls(this.camera, canvas);
    // One finger upwards still scrolls the page; sideways it turns the picture.
    canvas.style.touchAction = 'pan-y';
    this.controls.enableZoom = true;
    const mayZoom = wheelGuard(canvas, this.element);
    canvas.addEventListener('wheel', (e) => { if (!mayZoom(e)) e.stopImmediatePropagation(); }, { capture: true });
    canvas.addEventListener('dblclick', () => this.resetView());
    this.controls.addEventListener('change', () => {
      this.onStale();
      if (!this.copying) this.onCamera();
    });

    this.addLights();
    const moving = scene.shapes.filter((s) => s.kind === 'sphere' && (s.motion !== null || (s.frame >= 0 && scene.frames[s.frame]?.columns)));
    const segments = segmentsOf(moving.length, this.quality.corners);
    this.instances = new InstancedMesh(new SphereGeometry(1, segments, Math.round(segments * 0.6)), new MeshLambertMaterial({ map: stripes() }), Math.max(moving.length, 1));
    this.instances.count = moving.length;
    this.instances.castShadow = this.instances.receiveShadow = true;
    this.instances.frustumCulled = false;
    moving.forEach((shape, i) => this.addMoving(shape, i));
    this.scene.add(this.instances);
    let floor: GridHelper | null = null;
    for (const shape of scene.shapes) if (!moving.includes(shape)) floor = this.addFixed(shape) ?? floor;
    this.grid = floor;

    this.shafts = this.addMarks(new CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0), this.arrowMaterial);
    this.heads = this.addMarks(new ConeGeometry(1, 1, 14).translate(0, 0.5, 0), this.arrowMaterial);
    this.flashes = this.addMarks(new SphereGeometry(1, 14, 10), new MeshBasicMaterial({ color: '#F0E442', transparent: true, opacity: 0.7, depthWrite: false }));
    const paleBlue = new MeshBasicMaterial({ color: '#0072B2', transparent: true, opacity: 0.45, side: DoubleSide, depthTest: false });
    this.disk = new Mesh(new BufferGeometry(), paleBlue);
    this.diskPoint = new Mesh(new SphereGeometry(1, 12, 8), new MeshBasicMaterial({ color: '#D55E00', depthTest: false, transparent: true }));
    this.disk.visible = this.diskPoint.visible = false;
    this.disk.renderOrder = 1;
    this.shafts.renderOrder = this.heads.renderOrder = 2;
    this.diskPoint.renderOrder = 3;
    this.scene.add(this.disk, this.diskPoint);
    this.resetView();
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  private addLights(): void {
    this.scene.add(new HemisphereLight('#ffffff', '#8a8f98', 1.6), new AmbientLight('#ffffff', 0.35));
    const sun = new DirectionalLight('#ffffff', 1.7);
    sun.position.copy(this.centre).add(new Vector3(0.5, -0.7, 1.4).multiplyScalar(this.size));
    sun.target.position.copy(this.centre);
    sun.castShadow = this.quality.shadows;
    sun.shadow.mapSize.set(1024, 1024);
    const reach = this.size * 0.8;
    Object.assign(sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: this.size * 0.05, far: this.size * 5 });
    sun.shadow.normalBias = this.size * 0.003;
    this.scene.add(sun, sun.target);
  }

  private addMoving(shape: DecodedShape, index: number): void {
    const frame = shape.frame >= 0 ? this.run.scene!.frames[shape.frame] : undefined;
    const n = shape.numbers ?? [0, 0, 0, 1];
    const empty = new Float32Array(this.run.t.length);
    this.spheres.push({
      columns: shape.motion ? null : frame?.columns?.map((name) => this.run.columnByName.get(name)?.values ?? empty) ?? null,
      motion: shape.motion ? shape : null,
      centre: new Vector3(n[0], n[1], n[2]),
      radius: n[3] ?? 1,
    });
    this.instances.setColorAt(index, new Color(shape.color ?? shape.fill ?? lineColor(index)));
  }

  /** Adds what does not move; gives the grid of a level floor. */
  private addFixed(shape: DecodedShape): GridHelper | null {
    const n = shape.numbers ?? [];
    if (shape.kind === 'half_space') return this.addHalfSpace(shape);
    const color = shape.color ?? shape.fill ?? '#9aa5b1';
    if (shape.kind === 'sphere') {
      const ball = new Mesh(new SphereGeometry(n[3], 64, 40), new MeshLambertMaterial({ color, map: graticule(this.quality.anisotropy) }));
      ball.receiveShadow = true;
      ball.position.set(n[0]!, n[1]!, n[2]!);
      this.holder(shape.frame).add(ball);
    } else if (shape.kind === 'box') {
      this.holder(shape.frame).add(brick(n, color, this.quality.shadows));
    } else if (shape.kind === 'hollow_sphere') {
      // The inside of the lower half; the upper half, and the outside, would hide the bodies.
      const bowl = new Mesh(new SphereGeometry(n[3], 64, 24, 0, 2 * Math.PI, Math.PI / 2, Math.PI / 2), new MeshLambertMaterial({ color, map: graticule(this.quality.anisotropy), side: BackSide }));
      bowl.receiveShadow = true;
      bowl.position.set(n[0]!, n[1]!, n[2]!);
      bowl.quaternion.setFromUnitVectors(upY, new Vector3(...this.run.scene!.up).normalize());
      this.holder(shape.frame).add(bowl);
    }
    return null;
  }

  /** What carries the shapes of a frame. */
  private holder(frame: number): Object3D {
    const given = frame >= 0 ? this.run.scene!.frames[frame] : undefined;
    if (!given) return this.scene;
    let carrier = this.carriers.get(frame);
    if (!carrier) {
      const group = new Group();
      const empty = new Float32Array(this.run.t.length);
      carrier = { group, columns: given.columns?.map((name) => this.run.columnByName.get(name)?.values ?? empty) ?? null };
      const fixed = given.fixed;
      if (fixed) {
        group.position.set(fixed[0]!, fixed[1]!, fixed[2]!);
        group.quaternion.set(fixed[4] ?? 0, fixed[5] ?? 0, fixed[6] ?? 0, fixed[3] ?? 1);
      }
      this.carriers.set(frame, carrier);
      this.scene.add(group);
    }
    return carrier.group;
  }

  private addHalfSpace(shape: DecodedShape): GridHelper | null {
    const n = shape.numbers ?? [0, 0, 0, 0, 0, 1];
    const normal = new Vector3(n[3], n[4], n[5]).normalize();
    const middle = new Vector3(n[0], n[1], n[2]);
    if (shape.frame < 0) {
      // The plane's point under the middle of the motion.
      const height = this.centre.clone().sub(middle).dot(normal);
      middle.copy(this.centre).addScaledVector(normal, -height);
    }
    const side = this.size * 1.8;
    const material = new MeshLambertMaterial({ color: shape.color ?? '#c9d0d8', side: DoubleSide });
    if (!shape.color) this.grounds.push(material);
    const plane = new Mesh(new PlaneGeometry(side, side), material);
    plane.quaternion.setFromUnitVectors(upZ, normal);
    plane.position.copy(middle).addScaledVector(normal, -this.size * 0.0015);
    plane.receiveShadow = true;
    const grid = new GridHelper(side, 18, '#7c8792', '#9aa4ae');
    grid.quaternion.setFromUnitVectors(upY, normal);
    grid.position.copy(middle);
    (grid.material as Material).transparent = true;
    (grid.material as Material).opacity = 0.55;
    this.holder(shape.frame).add(plane, grid);
    return grid;
  }

  resetView(): void {
    const up = new Vector3(...this.run.scene!.up).normalize();
    const away = new Vector3(0.55, -1, 0).addScaledVector(up, 0.55).normalize();
    this.controls.target.copy(this.centre);
    this.camera.position.copy(this.centre).addScaledVector(away, this.size * 1.15 * Math.max(1, 1.1 / Math.max(this.camera.aspect, 0.3)));
    this.controls.update();
    this.onStale();
  }

  zoomBy(factor: number): void {
    this.camera.position.sub(this.controls.target).divideScalar(factor).add(this.controls.target);
    this.controls.update();
  }

  copyCamera(other: SpatialView): void {
    this.copying = true;
    this.camera.position.copy(other.camera.position);
    this.controls.target.copy(other.controls.target);
    this.controls.update();
    this.copying = false;
  }

  private resize(): void {
    const width = this.element.clientWidth;
    const height = this.element.clientHeight;
    if (width === 0 || height === 0) return;
    const first = this.camera.aspect === 1;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, this.quality.pixelRatio));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (first) this.resetView();
    this.onStale();
  }

  /** Without shadows and fine pixels, for machines that are too slow. */
  private drawLess(): void {
    this.quality.pixelRatio = 1;
    this.renderer.shadowMap.enabled = false;
    this.scene.traverse((object) => { if (object instanceof DirectionalLight) object.castShadow = false; });
    this.resize();
  }

  draw(time: number, fading: number): void {
    this.pace.frame(performance.now());
    const instant = instantAt(this.run.t, time);
    this.scene.background = new Color(isDark() ? '#12161b' : '#f4f6f8');
    this.arrowMaterial.color.set(isDark() ? '#F0E442' : '#F07818');
    for (const ground of this.grounds) ground.color.set(isDark() ? '#4a535e' : '#c9d0d8');
    if (this.grid) (this.grid.material as Material).opacity = isDark() ? 0.35 : 0.55;
    const { t } = this.run.scene!;
    const motionInstant = t === this.run.t ? instant : instantAt(t, time);
    this.spheres.forEach((sphere, i) => this.moveSphere(sphere, i, sphere.motion ? motionInstant : instant));
    this.instances.instanceMatrix.needsUpdate = true;
    for (const { group, columns } of this.carriers.values()) {
      if (!columns) continue;
      this.poseOf(columns, instant);
      group.position.copy(this.position);
      group.quaternion.copy(this.turn);
    }
    this.drawEffects(this.effects.at(time, fading));
    this.drawFrictionSet(time);
    this.renderer.render(this.scene, this.camera);
  }

  /** Position and orientation of a body, into `position` and `turn`. */
  private poseOf(columns: readonly ArrayLike<number>[], { row, part }: Instant): void {
    const next = Math.min(row + 1, this.run.t.length - 1);
    const value = (i: number): number => columns[i]![row]! + (columns[i]![next]! - columns[i]![row]!) * part;
    this.position.set(value(0), value(1), value(2));
    this.turn.set(columns[4]![row]!, columns[5]![row]!, columns[6]![row]!, columns[3]![row]!);
    this.next.set(columns[4]![next]!, columns[5]![next]!, columns[6]![next]!, columns[3]![next]!);
    this.turn.normalize().slerp(this.next.normalize(), part);
  }

  private moveSphere(sphere: MovingSphere, index: number, { row, part }: Instant): void {
    const { columns, motion } = sphere;
    let radius = sphere.radius;
    if (motion) {
      const c = motion.count;
      const next = Math.min(row + 1, this.run.scene!.t.length - 1);
      const value = (i: number): number => motion.motion![row * c + i]! + (motion.motion![next * c + i]! - motion.motion![row * c + i]!) * part;
      this.position.set(value(0), value(1), value(2));
      radius = value(3);
      this.turn.identity();
    } else if (columns) {
      this.poseOf(columns, { row, part });
      this.position.add(this.local.copy(sphere.centre).applyQuaternion(this.turn));
    } else {
      this.position.copy(sphere.centre);
      this.turn.identity();
    }
    this.stretch.setScalar(radius);
    this.instances.setMatrixAt(index, this.matrix.compose(this.position, this.turn, this.stretch));
  }

  private longestArrow(): number {
    return this.size * 0.22 * this.effects.room;
  }

  /** Room for the marks of many contacts; each kind is drawn in one go. */
  private addMarks(geometry: BufferGeometry, material: Material): InstancedMesh {
    const marks = new InstancedMesh(geometry, material, mostMarks);
    marks.count = 0;
    marks.frustumCulled = false;
    this.scene.add(marks);
    return marks;
  }

  private drawEffects(effects: readonly ContactEffect[]): void {
    const thick = this.size * 0.0035;
    let arrows = 0;
    let flashes = 0;
    for (const effect of effects.slice(0, mostMarks)) {
      const { lambdaN, lambdaT, lambdaO } = effect;
      this.position.set(...(effect.point as [number, number, number]));
      if (effect.flash > 0) {
        // The flash grows thin instead of pale: all flashes share a material.
        this.stretch.setScalar(this.size * 0.022 * effect.flash);
        this.flashes.setMatrixAt(flashes++, this.matrix.compose(this.position, this.turn.identity(), this.stretch));
      }
      const n = this.local.set(...(effect.normal as [number, number, number]));
      const t = this.across.set(...(effect.tangent as [number, number, number]));
      const o = this.third.copy(n).cross(t);
      const along = n.multiplyScalar(lambdaN).addScaledVector(t, lambdaT).addScaledVector(o, lambdaO);
      const total = along.length();
      const length = this.effects.arrowLength(total, this.longestArrow()) * (0.35 + 0.65 * effect.strength);
      if (!(length > 0)) continue;
      const tip = Math.min(length * 0.4, thick * 7);
      this.turn.setFromUnitVectors(upY, along.divideScalar(total));
      this.shafts.setMatrixAt(arrows, this.matrix.compose(this.position, this.turn, this.stretch.set(thick, length - tip, thick)));
      this.position.addScaledVector(along, length - tip);
      this.heads.setMatrixAt(arrows, this.matrix.compose(this.position, this.turn, this.stretch.set(thick * 2.6, tip, thick * 2.6)));
      arrows++;
    }
    this.shafts.count = this.heads.count = arrows;
    this.flashes.count = flashes;
    for (const marks of [this.shafts, this.heads, this.flashes]) marks.instanceMatrix.needsUpdate = true;
  }

  /** Section of the friction cone at the chosen contact, and the impulse in it. */
  private drawFrictionSet(time: number): void {
    const effect = this.chosenContact >= 0 ? this.effects.chosen(this.chosenContact, time) : null;
    this.disk.visible = effect !== null;
    this.diskPoint.visible = effect !== null && effect.lambdaN > 0;
    if (!effect) return;
    const mu = this.run.source.contacts[this.chosenContact]?.mu ?? 0;
    const n = new Vector3(...(effect.normal as [number, number, number]));
    const t = new Vector3(...(effect.tangent as [number, number, number]));
    const height = Math.max(this.effects.arrowLength(effect.lambdaN, this.longestArrow()), this.size * 0.05);
    this.disk.position.set(...(effect.point as [number, number, number])).addScaledVector(n, height);
    const o = n.clone().cross(t);
    this.disk.quaternion.setFromRotationMatrix(this.matrix.makeBasis(t, o, n));
    if (this.diskOf !== this.chosenContact) {
      this.diskOf = this.chosenContact;
      this.disk.geometry.dispose();
      this.disk.geometry = sheet(frictionSetOf(this.run, this.chosenContact).outline);
    }
    this.disk.scale.setScalar(Math.max(mu * height, this.size * 0.002));
    (this.disk.material as MeshBasicMaterial).color.set(isDark() ? '#56B4E9' : '#0072B2');
    if (effect.lambdaN > 0) {
      this.diskPoint.position.copy(this.disk.position)
        .addScaledVector(t, (effect.lambdaT / effect.lambdaN) * height)
        .addScaledVector(o, (effect.lambdaO / effect.lambdaN) * height);
      this.diskPoint.scale.setScalar(this.size * 0.006);
    }
  }
}
