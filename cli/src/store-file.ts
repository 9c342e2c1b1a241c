import { stat } from "node:fs/promises";
import {
  type FolderProgress,
  HoldallError,
  type OnConflict,
  type ResumeStore,
  type Visibility,
} from "../../sdk/src/holdall.ts";
import { bytesText, countText } from "../../server/terminal/amounts.ts";
import type { Progress } from "../../server/transfer/progress.ts";
import { findEntry } from "./find-entry.ts";
import type { RemoteSession } from "./run-remote.ts";

/** A local file or folder to upload, and its place on the server. */
export interface PutJob {
  /** Absolute. */
  readonly path: string;
  readonly isFolder: boolean;
  /** The key of the target folder: of a folder, for its content. */
  readonly folder: string;
  /** The name of a file. */
  readonly name: string;
}

export interface PutSettings {
  readonly visibility: Visibility | undefined;
  /** Seconds until the files end; undefined: as their folder says. */
  readonly expiresIn: number | undefined;
  readonly onConflict: OnConflict;
  readonly resume: ResumeStore | undefined;
  readonly progress: Progress;
}

/** Uploads a file. */
export async function storeFile(
  { holdall, output, signal }: RemoteSession,
  { path, folder, name }: PutJob,
  { visibility, expiresIn, onConflict, resume, progress }: PutSettings,
): Promise<void> {
  const key = folder === "" ? name : `${folder}/${name}`;
  const { size } = await stat(path);
  const { total } = progress;
  progress.total = { files: (total?.files ?? 0) + 1, bytes: (total?.bytes ?? 0) + size };
  let sent = 0;
  const report = (loaded: number): void => {
    progress.bytes += loaded - sent;
    sent = loaded;
  };
  const skip = async (): Promise<void> => {
    report(size);
    progress.files += 1;
    await output.print({ type: "skipped", path, key }, `Skipped ${path}: ${key} exists`);
  };
  const isSkipping = onConflict === "skip";
  if (isSkipping && (await findEntry(holdall, key, signal)) !== undefined) return skip();
  try {
    const file = await holdall.files.upload(
      { path },
      {
        folder,
        name,
        visibility,
        expiresIn,
        resume,
        signal,
        onConflict: isSkipping ? "refuse" : onConflict,
        onProgress: ({ loaded }) => report(loaded),
      },
    );
    report(size);
    progress.files += 1;
    await output.print(
      { type: "stored", path, file },
      `Stored ${path} as ${file.key} (${bytesText(file.size)})`,
    );
  } catch (error) {
    // Another client was faster.
    if (isSkipping && error instanceof HoldallError && error.status === 409) return skip();
    report(0);
    throw error;
  }
}

/** Uploads a folder as one batch. Reports everything that is left out. */
export async function storeFolder(
  { holdall, output, signal }: RemoteSession,
  { path, folder }: PutJob,
  { visibility, expiresIn, onConflict, resume, progress }: PutSettings,
): Promise<void> {
  let last: FolderProgress = { loaded: 0, total: 0, files: 0, totalFiles: 0 };
  const onProgress = (now: FolderProgress): void => {
    progress.bytes += now.loaded - last.loaded;
    progress.files += now.files - last.files;
    progress.total = {
      files: (progress.total?.files ?? 0) + now.totalFiles - last.totalFiles,
      bytes: (progress.total?.bytes ?? 0) + now.total - last.total,
    };
    last = now;
  };
  const notUploaded: [path: string, reason: string][] = [];
  const stored = await holdall.files.uploadFolder(path, {
    folder,
    visibility,
    fileExpiresIn: expiresIn,
    onConflict,
    resume,
    signal,
    onProgress,
    onSkipped: (found, reason) => notUploaded.push([found, reason]),
  });
  for (const [found, reason] of notUploaded) {
    await output.print({ type: "ignored", path: found, reason }, `Ignored ${found}: ${reason}`);
  }
  await output.print(
    { type: "folder-stored", path, ...stored },
    `Stored ${path} as ${stored.folder}/: ${countText(stored.files, "file")} (${bytesText(stored.bytes)}), ${stored.added} added, ${stored.replaced} replaced, ${stored.skipped} skipped`,
  );
}
