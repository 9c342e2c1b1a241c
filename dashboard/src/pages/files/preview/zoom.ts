/** How a picture lies in its window: times the size that fits, and moved by so many pixels. */
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

/** The size that a picture has where it fits: never larger than it is. */
export function fitted(picture: Size, room: Size): Size {
  const scale = Math.min(1, room.width / picture.width, room.height / picture.height);
  return { width: picture.width * scale, height: picture.height * scale };
}

/** Larger or smaller by a factor, so that what is at the point (from the centre) stays there. */
export function zoomBy(zoom: Zoom, factor: number, at = { x: 0, y: 0 }): Zoom {
  const scale = Math.min(MOST, Math.max(1, zoom.scale * factor));
  if (scale === 1) return FIT;
  const by = scale / zoom.scale;
  return { scale, x: at.x - (at.x - zoom.x) * by, y: at.y - (at.y - zoom.y) * by };
}

/** Not further than to the picture's edge; in the middle where it is smaller than the room. */
export function within(zoom: Zoom, fit: Size, room: Size): Zoom {
  const spareX = Math.max(0, (fit.width * zoom.scale - room.width) / 2);
  const spareY = Math.max(0, (fit.height * zoom.scale - room.height) / 2);
  return {
    scale: zoom.scale,
    x: Math.min(spareX, Math.max(-spareX, zoom.x)),
    y: Math.min(spareY, Math.max(-spareY, zoom.y)),
  };
}
