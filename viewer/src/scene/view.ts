/** What the stage needs of a drawing, in the plane or in space. */
export interface SceneView {
  readonly element: HTMLElement;
  /** Draws the motion at a time; blows fade within `fading` seconds of the motion. */
  draw(time: number, fading: number): void;
  resetView(): void;
  zoomBy(factor: number): void;
  /** Contact whose friction set is drawn, or -1. */
  chosenContact: number;
  /** Whether the view moves with the bodies; null where that makes no sense. */
  following: boolean | null;
  /** Called when the view must be drawn again although time stands still. */
  onStale: () => void;
}
