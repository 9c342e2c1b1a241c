import type { Key } from "../domain/records.ts";

/** Paths may be too long for an index, so their hashes are stored. */
export const pathHash = (path: Key): string =>
  new Bun.CryptoHasher("sha256").update(path).digest("hex");
