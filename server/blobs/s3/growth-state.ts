import { sha256Of } from "../../runtime/hash.ts";
/** The parts of a multipart upload at a checkpoint. */
export interface GrowthState {
  readonly uploadId: string;
  readonly parts: number;
  readonly bytes: number;
  /** See `hashTags`. */
  readonly tagHash: string;
}

/** Differs if a part was replaced by one with other bytes. */
export function hashTags(tags: readonly string[]): string {
  return sha256Of(tags.join()).slice(0, 16);
}

const TEXT = /^(\d{1,5}) (\d{1,15}) ([0-9a-f]{16}) (\S+)$/;

export const formatGrowth = ({ uploadId, parts, bytes, tagHash }: GrowthState): string =>
  `${parts} ${bytes} ${tagHash} ${uploadId}`;

/** Error: not a text of `formatGrowth`. */
export function parseGrowth(text: string): GrowthState {
  const [, parts, bytes, tagHash, uploadId] = TEXT.exec(text) ?? [];
  if (tagHash === undefined || uploadId === undefined) {
    throw new Error(`Not the state of a multipart upload: ${JSON.stringify(text)}.`);
  }
  return { uploadId, parts: Number(parts), bytes: Number(bytes), tagHash };
}
