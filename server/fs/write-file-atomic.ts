import { readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fsyncFolderSync } from "./fsync.ts";

/**
 * Replaces a file atomically: after an interruption or a power cut it has the complete old or new
 * content. Only the owner may read it.
 */
export function writeFileAtomic(file: string, content: string | Uint8Array): void {
  const draft = `${file}.${process.pid}.new`;
  writeFileSync(draft, content, { mode: 0o600, flush: true });
  renameDurably(draft, file);
}

/** Removes the drafts of interrupted writes. Call it only while no process writes the file. */
export function removeDrafts(file: string): void {
  const folder = dirname(file);
  const drafts = readdirSync(folder).filter(
    (name) => DRAFT.test(name) && name.replace(DRAFT, "") === basename(file),
  );
  for (const name of drafts) rmSync(join(folder, name), { force: true });
}

const DRAFT = /\.\d+\.new$/;

/** Renames a file within its folder; the rename survives a power cut. Fsync the content first. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to);
  fsyncFolderSync(dirname(to));
}
