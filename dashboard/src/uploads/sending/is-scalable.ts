/** The first bytes of the formats that the server scales, at their positions. */
const SIGNATURES: readonly (readonly [start: string, at8: string])[] = [
  ["\xff\xd8\xff", ""],
  ["\x89PNG\r\n\x1a\n", ""],
  ["GIF8", ""],
  ["RIFF", "WEBP"],
];

/** Whether a file starts as a JPEG, PNG, GIF or WebP image. Rejects if it cannot be read any more. */
export async function isScalable(content: Blob): Promise<boolean> {
  const bytes = new Uint8Array(await content.slice(0, 12).arrayBuffer());
  const text = String.fromCharCode(...bytes);
  return SIGNATURES.some(([start, at8]) => text.startsWith(start) && text.startsWith(at8, 8));
}
