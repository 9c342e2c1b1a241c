import { join } from "node:path";
import type { RemoteServer } from "../config/read-remote-server.ts";
import { createFileResumeStore } from "./file-resume-store.ts";

/** What the last `rm` on this machine moved to the server's trash. */
export interface LastDeletions {
  /** Their `undoId`s; empty: unknown, or undone since. */
  read(): Promise<readonly string[]>;
  write(undoIds: readonly string[]): Promise<void>;
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
      return typeof note === "string" ? parseIds(note) : [];
    },
    async write(undoIds) {
      if (undoIds.length === 0) await notes.removeItem(url);
      else await notes.setItem(url, JSON.stringify(undoIds));
    },
  };
}

/** A damaged note is as good as none. */
function parseIds(note: string): string[] {
  try {
    const ids: unknown = JSON.parse(note);
    return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
}
