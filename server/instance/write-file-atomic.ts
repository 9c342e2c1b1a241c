import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

/** Whoever is interrupted leaves no file or a whole one, also after a power cut. For its owner only. */
export function writeFileAtomic(file: string, content: string | Uint8Array): void {
  const draft = `${file}.${process.pid}.new`;
  writeFileSync(draft, content, { mode: 0o600, flush: true });
  renameDurably(draft, file);
}

/** Removes what interrupted writings of the file have left. Nobody may be writing it. */
export function removeDrafts(file: string): void {
  const folder = dirname(file);
  const drafts = readdirSync(folder).filter(
    (name) => DRAFT.test(name) && name.replace(DRAFT, "") === basename(file),
  );
  for (const name of drafts) rmSync(join(folder, name), { force: true });
}

const DRAFT = /\.\d+\.new$/;

/** Moves a file, which is on disk, over another in the same folder, such that it survives a power cut. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to);
  const folder = openSync(dirname(to), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
