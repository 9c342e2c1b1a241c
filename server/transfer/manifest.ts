import { type FileHandle, link, open, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import type { Sha256 } from "../domain/records.ts";
import { fsyncFolder } from "../fs/fsync.ts";
import { ignoreAbsent } from "./system-error.ts";

/** A list of files and their digests, which `sha256sum -c` reads. */
export interface Manifest {
  /** `path` is relative to the folder in which `sha256sum -c` will run. */
  add(digest: Sha256, path: string): Promise<void>;
  /** Writes the list to its place, where it survives a power cut. Error: the place is taken. */
  publish(): Promise<void>;
  /** Removes an unfinished list. Does nothing after `publish`. */
  close(): Promise<void>;
}

/** Lines are written when they have this many characters. */
const BATCH = 64 * 1024;

/** Writes to a draft beside the place `file`. */
export async function createManifest(file: string): Promise<Manifest> {
  const draft = `${file}.${process.pid}.new`;
  const handle: FileHandle = await open(draft, "w", 0o644);
  let text = "";
  let writing: Promise<unknown> = Promise.resolve();
  let isOpen = true;

  /** One batch after the other. */
  function flush(): Promise<unknown> {
    const batch = text;
    text = "";
    writing = writing.then(() => handle.write(batch));
    writing.catch(() => {});
    return writing;
  }

  async function close(): Promise<void> {
    if (!isOpen) return;
    isOpen = false;
    await writing.catch(() => {});
    await handle.close();
    await unlink(draft).catch(ignoreAbsent);
  }

  return {
    close,
    async add(digest, path) {
      text += manifestLine(digest, path);
      if (text.length >= BATCH) await flush();
    },
    async publish() {
      await flush();
      await handle.sync();
      // Fails if there is something, which a rename would replace.
      await link(draft, file);
      await close();
      await fsyncFolder(dirname(file));
    },
  };
}

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r" };

/** A line as coreutils writes it: a backslash in front says that the path is escaped. */
export function manifestLine(digest: Sha256, path: string): string {
  // `sha256sum` takes "-" for its standard input.
  const escaped = (path === "-" ? "./-" : path).replace(/[\\\n\r]/g, (each) => ESCAPES[each] ?? "");
  return `${escaped === path || path === "-" ? "" : "\\"}${digest}  ${escaped}\n`;
}
