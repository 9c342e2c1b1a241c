/** Zoom and pan of an image: a factor of the fitted size, and an offset in pixels. */
export interface Zoom {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export const FIT: Zoom = { scale: 1, x: 0, y: 0 };

export const MOST = 16;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size of an image fitted to the room, never larger than its natural size. */
export function fitted(picture: Size, room: Size): Size {
  const scale = Math.min(1, room.width / picture.width, room.height / picture.height);
  return { width: picture.width * scale, height: picture.height * scale };
}

/** Zooms by a factor and keeps the point `at`, relative to the center, fixed. */
export function zoomBy(zoom: Zoom, factor: number, at = { x: 0, y: 0 }): Zoom {
  const scale = Math.min(MOST, Math.max(1, zoom.scale * factor));
  if (scale === 1) return FIT;
  const by = scale / zoom.scale;
  return { scale, x: at.x - (at.x - zoom.x) * by, y: at.y - (at.y - zoom.y) * by };
}

/** Limits panning to the image's edges; centers an image smaller than the room. */
export function within(zoom: Zoom, fit: Size, room: Size): Zoom {
  const spareX = Math.max(0, (fit.width * zoom.scale - room.width) / 2);
  const spareY = Math.max(0, (fit.height * zoom.scale - room.height) / 2);
  return {
    scale: zoom.scale,
    x: Math.min(spareX, Math.max(-spareX, zoom.x)),
    y: Math.min(spareY, Math.max(-spareY, zoom.y)),
  };
}
