/** Zoom and pan of an image: a factor of the fitted size, and an offset in pixels. */
export interface Zoom {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export const FIT: Zoom = { scale: 1, x: 0, y: 0 };

export const MAX_SCALE = 16;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size of an image fitted to the room, never larger than its natural size. */
export function fitSize(image: Size, viewport: Size): Size {
  const scale = Math.min(1, viewport.width / image.width, viewport.height / image.height);
  return { width: image.width * scale, height: image.height * scale };
}

/** Zooms by a factor and keeps the point `at`, relative to the center, fixed. */
export function zoomBy(zoom: Zoom, factor: number, at = { x: 0, y: 0 }): Zoom {
  const scale = Math.min(MAX_SCALE, Math.max(1, zoom.scale * factor));
  if (scale === 1) return FIT;
  const by = scale / zoom.scale;
  return { scale, x: at.x - (at.x - zoom.x) * by, y: at.y - (at.y - zoom.y) * by };
}

/** Limits panning to the image's edges; centers an image smaller than the room. */
export function clampPan(zoom: Zoom, fit: Size, viewport: Size): Zoom {
  const maxX = Math.max(0, (fit.width * zoom.scale - viewport.width) / 2);
  const maxY = Math.max(0, (fit.height * zoom.scale - viewport.height) / 2);
  return {
    scale: zoom.scale,
    x: Math.min(maxX, Math.max(-maxX, zoom.x)),
    y: Math.min(maxY, Math.max(-maxY, zoom.y)),
  };
}
