import type { Stats } from "node:fs";

/** The mode of a blob whose record is committed: it never changes again. */
export const COMMITTED_MODE = 0o400;

const WRITABLE_FOR_OWNER = 0o200;

export const isCommittedMode = (found: Stats): boolean =>
  found.isFile() && (found.mode & WRITABLE_FOR_OWNER) === 0;
