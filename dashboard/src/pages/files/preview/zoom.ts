export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The area that shows an image. */
export interface Frame {
  /** Pixels of the image. */
  readonly image: Size;
  /** CSS pixels of the window's part for the image. */
  readonly viewport: Size;
  /** Pixels of the screen for a CSS pixel. */
  readonly pixelRatio: number;
}

/** Zoom and pan of an image. */
export interface Zoom {
  /** CSS pixels for a pixel of the image. */
  readonly scale: number | "fit";
  /** CSS pixels from the center. */
  readonly x: number;
  readonly y: number;
}

export const FIT: Zoom = { scale: "fit", x: 0, y: 0 };

/** Around an image that is fitted to the window, in CSS pixels. */
const MARGIN = 16;
const MAX_PERCENT = 1_600;

/** The scale of an image fitted to the window, which never enlarges. */
export function fitScale({ image, viewport }: Frame): number {
  const width = Math.max(1, viewport.width - 2 * MARGIN);
  const height = Math.max(1, viewport.height - 2 * MARGIN);
  return Math.min(1, width / image.width, height / image.height);
}

/** The scale at which each pixel of the image is a pixel of the screen. */
export const actualScale = ({ pixelRatio }: Frame): number => 1 / pixelRatio;

export const scaleOf = ({ scale }: Zoom, frame: Frame): number =>
  scale === "fit" ? fitScale(frame) : scale;

/** The size on the screen in percent of the image's pixels. */
export const percentOf = (zoom: Zoom, frame: Frame): number =>
  Math.max(1, Math.round(scaleOf(zoom, frame) * frame.pixelRatio * 100));

/** Zooms to a scale, within the limits, and keeps the point `at`, relative to the center, fixed. */
export function zoomTo(zoom: Zoom, to: number, frame: Frame, at = { x: 0, y: 0 }): Zoom {
  const fit = fitScale(frame);
  const min = Math.min(fit, actualScale(frame));
  const max = Math.max(fit, (actualScale(frame) * MAX_PERCENT) / 100);
  const scale = Math.min(max, Math.max(min, to));
  if (Math.abs(scale / fit - 1) < 1e-6) return FIT;
  const by = scale / scaleOf(zoom, frame);
  const moved = { scale, x: at.x - (at.x - zoom.x) * by, y: at.y - (at.y - zoom.y) * by };
  return clampPan(moved, frame);
}

export const zoomBy = (zoom: Zoom, factor: number, frame: Frame, at = { x: 0, y: 0 }): Zoom =>
  zoomTo(zoom, scaleOf(zoom, frame) * factor, frame, at);

export const panBy = (zoom: Zoom, x: number, y: number, frame: Frame): Zoom =>
  clampPan({ ...zoom, x: zoom.x + x, y: zoom.y + y }, frame);

/** Limits panning to the image's edges; centers an image smaller than the window. */
export function clampPan(zoom: Zoom, frame: Frame): Zoom {
  const { image, viewport } = frame;
  const scale = scaleOf(zoom, frame);
  const maxX = Math.max(0, (image.width * scale - viewport.width) / 2);
  const maxY = Math.max(0, (image.height * scale - viewport.height) / 2);
  return {
    scale: zoom.scale,
    x: Math.min(maxX, Math.max(-maxX, zoom.x)),
    y: Math.min(maxY, Math.max(-maxY, zoom.y)),
  };
}

/** The image's place in the window. It starts at a pixel of the screen, so that 100% is sharp. */
export function placeImage(zoom: Zoom, frame: Frame): Size & { left: number; top: number } {
  const { image, viewport, pixelRatio } = frame;
  const scale = scaleOf(zoom, frame);
  const width = image.width * scale;
  const height = image.height * scale;
  const align = (value: number) => Math.round(value * pixelRatio) / pixelRatio;
  return {
    width,
    height,
    left: align((viewport.width - width) / 2 + zoom.x),
    top: align((viewport.height - height) / 2 + zoom.y),
  };
}
