import type { FolderProgress } from "../../sdk/src/holdall.ts";
import { bytesText, countText } from "../../server/terminal/amounts.ts";
import type { PutJob, PutSettings } from "./put-job.ts";
import type { RemoteSession } from "./run-remote.ts";

/** Uploads a folder as one batch. Reports everything that is left out. */
export async function storeFolder(
  { holdall, output, signal }: RemoteSession,
  { path, folder }: PutJob,
  { visibility, onConflict, resume, progress }: PutSettings,
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
