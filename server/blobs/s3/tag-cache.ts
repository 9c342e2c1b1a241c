import { createTwoGenerationCache } from "../../lib/two-generation-cache.ts";
import { type GrowthState, hashTags } from "./growth-state.ts";

/** The ETags of the parts of multipart uploads that this process continues. */
export interface TagCache {
  set(uploadId: string, tags: readonly string[]): void;
  /** The tags of the parts at this checkpoint; undefined: not cached. */
  get(state: GrowthState): readonly string[] | undefined;
  delete(uploadId: string): void;
}

/** About 40,000 parts. */
const MAX_BYTES = 4 * 1024 ** 2;
const BYTES_PER_TAG = 100;

export function createTagCache(): TagCache {
  const cache = createTwoGenerationCache<string, readonly string[]>(MAX_BYTES);
  return {
    set: (uploadId, tags) => cache.set(uploadId, tags, tags.length * BYTES_PER_TAG),
    delete: cache.delete,
    get({ uploadId, parts, tagHash }) {
      const tags = cache.get(uploadId)?.slice(0, parts);
      return tags !== undefined && hashTags(tags) === tagHash ? tags : undefined;
    },
  };
}
