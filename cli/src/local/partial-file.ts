import { createHash, type Hash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, link, lstat, open, rename, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";

/** A download that is not complete, in a hidden file next to its target. */
export interface PartialFile {
  /** Bytes stored. */
  size(): number;
  append(chunk: Uint8Array): Promise<void>;
  /** Removes all bytes. */
  restart(): Promise<void>;
  /** SHA-256 of the stored bytes, in hexadecimal. */
  digest(): string;
  /**
   * Gives the complete file its final name. "exists": something has the name already, and `replace` is
   * not set.
   */
  publish(replace: boolean): Promise<"published" | "exists">;
  /** Closes the file, which stays for the next attempt. */
  close(): Promise<void>;
  /** Closes and removes the file. */
  discard(): Promise<void>;
}

/** `version` identifies the content: only a partial file of the same version is continued. */
export async function openPartialFile(target: string, version: string): Promise<PartialFile> {
  const id = createHash("sha256").update(version).digest("hex").slice(0, 32);
  const path = join(dirname(target), `.holdall-${id}.part`);
  const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;
  const handle = await open(path, O_RDWR | O_CREAT | (O_NOFOLLOW ?? 0), 0o666);
  let hash: Hash;
  let size = 0;
  try {
    ({ hash, size } = await hashStored(handle));
  } catch (error) {
    await handle.close();
    throw error;
  }

  const close = (): Promise<void> => handle.close();
  return {
    size: () => size,
    async append(chunk) {
      for (let done = 0; done < chunk.length; ) {
        const { bytesWritten } = await handle.write(chunk, done, chunk.length - done, size + done);
        if (bytesWritten === 0) throw new Error("The disk accepted no bytes.");
        done += bytesWritten;
      }
      hash.update(chunk);
      size += chunk.length;
    },
    async restart() {
      await handle.truncate(0);
      hash = createHash("sha256");
      size = 0;
    },
    digest: () => hash.copy().digest("hex"),
    async publish(replace) {
      await handle.sync();
      if (replace) await rename(path, target);
      else if (!(await linkUnlessTaken(path, target))) return "exists";
      return "published";
    },
    close,
    async discard() {
      await close();
      await unlink(path);
    },
  };
}

async function hashStored(handle: FileHandle): Promise<{ hash: Hash; size: number }> {
  const hash = createHash("sha256");
  const buffer = new Uint8Array(1024 * 1024);
  for (let size = 0; ; ) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, size);
    if (bytesRead === 0) return { hash, size };
    hash.update(buffer.subarray(0, bytesRead));
    size += bytesRead;
  }
}

/** Moves a file to a name that nothing has. false: the name is taken. */
async function linkUnlessTaken(path: string, target: string): Promise<boolean> {
  try {
    await link(path, target);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EEXIST") return false;
    // Some file systems have no links.
    const isTaken = await lstat(target).then(
      () => true,
      () => false,
    );
    if (isTaken) return false;
    await rename(path, target);
    return true;
  }
  await unlink(path);
  return true;
}
