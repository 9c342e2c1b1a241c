import { join } from "node:path";
import type { RemoteServer } from "../../server/config/read-remote-server.ts";
import { createFileResumeStore } from "./local/file-resume-store.ts";

/**
 * What the last `rm` on this machine did: the `undoId`s of what it moved to the server's trash, or
 * "forever" if it deleted permanently. An empty list: unknown, or undone since.
 */
export type LastDeletion = readonly string[] | "forever";

export interface LastDeletions {
  read(): Promise<LastDeletion>;
  write(deletion: LastDeletion): Promise<void>;
}

export async function openLastDeletions({
  url,
  stateFolder,
}: Pick<RemoteServer, "url" | "stateFolder">): Promise<LastDeletions> {
  if (stateFolder === null) return { read: async () => [], write: async () => {} };
  const notes = await createFileResumeStore(join(stateFolder, "deletions"));
  return {
    async read() {
      const note = await notes.getItem(url);
      return typeof note === "string" ? parseNote(note) : [];
    },
    async write(deletion) {
      if (deletion.length === 0) await notes.removeItem(url);
      else await notes.setItem(url, JSON.stringify(deletion));
    },
  };
}

/** A damaged note counts as missing. */
function parseNote(note: string): LastDeletion {
  try {
    const deletion: unknown = JSON.parse(note);
    if (deletion === "forever") return deletion;
    return Array.isArray(deletion) ? deletion.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
}
