import { createRecent } from "../../rules/recent.ts";
import type { FileRecord, Key } from "../../rules/records.ts";

type Look = (key: Key) => Promise<FileRecord | undefined>;

/** In bytes, estimated: a record, and the headers that are kept for as long as it is. */
const MOST = 16 * 1024 * 1024;
const RECORD = 4000;

/**
 * Lookups that are remembered for as long as nobody has committed anything, in this process or
 * another: `generation` is asked before each, so no answer is older than the question. That there
 * is no such file is remembered as well, so that it takes no other time than that there is one.
 */
export function rememberFiles(generation: () => number, look: Look): Look {
  const recent = createRecent<Key, { readonly file: FileRecord | undefined }>(MOST);
  let seen = Number.NaN;

  return async (key) => {
    const now = generation();
    if (now !== seen) {
      recent.clear();
      seen = now;
    }
    const known = recent.get(key);
    if (known !== undefined) return known.file;
    const file = await look(key);
    // Somebody else may have asked meanwhile, after a commit that this answer knows nothing of.
    if (seen === now) recent.set(key, { file }, RECORD + 4 * key.length);
    return file;
  };
}
