/**
 * Returns the width and height that an SVG states. undefined: it states none, and the default size of browsers is not
 * that of the picture.
 */
export function svgSize(
  text: string,
): { readonly width: number; readonly height: number } | undefined {
  const [root] = /<svg\b[^>]*>/i.exec(text) ?? [];
  if (root === undefined) return undefined;
  const [width, height] = [lengthOf(root, "width"), lengthOf(root, "height")];
  if (width !== undefined && height !== undefined) return { width, height };
  const box = /\sviewBox\s*=\s*["']([^"']*)["']/
    .exec(root)?.[1]
    ?.trim()
    .split(/[\s,]+/)
    .map(Number);
  const [, , boxWidth = 0, boxHeight = 0] = box ?? [];
  if (!(boxWidth > 0 && boxHeight > 0)) return undefined;
  if (width !== undefined) return { width, height: round((width * boxHeight) / boxWidth) };
  if (height !== undefined) return { width: round((height * boxWidth) / boxHeight), height };
  return { width: round(boxWidth), height: round(boxHeight) };
}

/** Returns a length in pixels. undefined: it is missing or has another unit. */
function lengthOf(root: string, name: "width" | "height"): number | undefined {
  const found = new RegExp(`\\s${name}\\s*=\\s*["']\\s*([\\d.]+)(?:px)?\\s*["']`).exec(root);
  const length = Number(found?.[1]);
  return length > 0 ? round(length) : undefined;
}

const round = (length: number): number => Math.round(length * 100) / 100;
