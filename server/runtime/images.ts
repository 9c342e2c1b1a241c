/** An image to transform and encode. */
export type Image = Bun.Image;

/** Decodes a file or its bytes when it is encoded again. */
export const openImage = (source: string | Uint8Array, options: { maxPixels: number }): Image =>
  new Bun.Image(source, options);
