import type { FileObject, Files, Range } from "../../../../sdk/src/holdall.ts";

/** Files up to this size are compared completely, larger ones by three samples. */
const WHOLE_BYTES = 1_000_000;
const SAMPLE_BYTES = 65_536;

/** Whether the stored file has this content. */
export async function isSameContent(
  files: Files,
  stored: FileObject,
  content: Blob,
  signal: AbortSignal,
): Promise<boolean> {
  const { size } = content;
  if (stored.size !== size) return false;
  for (const { start, end } of samplesOf(size)) {
    const { response } = await files.download(stored.id, { range: { start, end }, signal });
    const theirs = new Uint8Array(await response.arrayBuffer());
    const ours = new Uint8Array(await content.slice(start, end + 1).arrayBuffer());
    if (!areEqual(ours, theirs)) return false;
  }
  return true;
}

function samplesOf(size: number): readonly (Range & { start: number; end: number })[] {
  if (size === 0) return [];
  if (size <= WHOLE_BYTES) return [{ start: 0, end: size - 1 }];
  return [0, Math.floor(size / 2), size - SAMPLE_BYTES].map((start) => ({
    start,
    end: start + SAMPLE_BYTES - 1,
  }));
}

const areEqual = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at]);
