import type { Key } from "../domain/records.ts";
import { sha256Of } from "../runtime/hash.ts";

/** Paths may be too long for an index, so their hashes are stored. */
export const pathHash = (path: Key): string => sha256Of(path);
