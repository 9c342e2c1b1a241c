import { stat } from "node:fs/promises";
import { HoldallError } from "../../sdk/src/holdall.ts";
import { bytesText } from "../../server/terminal/amounts.ts";
import { findEntry } from "./find-entry.ts";
import type { PutJob, PutSettings } from "./put-job.ts";
import type { RemoteSession } from "./run-remote.ts";

/** Uploads a file. */
export async function storeFile(
  { holdall, output, signal }: RemoteSession,
  { path, folder, name }: PutJob,
  { visibility, onConflict, resume, progress }: PutSettings,
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
    const file = await holdall.files.upload(path, {
      folder,
      name,
      visibility,
      resume,
      signal,
      onConflict: isSkipping ? "refuse" : onConflict,
      onProgress: ({ loaded }) => report(loaded),
    });
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
