import { lstat, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { FolderObject } from "../../../sdk/src/holdall.ts";
import { forEachConcurrently } from "../../../server/lib/for-each-concurrently.ts";
import { bytesText, countText } from "../../../server/terminal/amounts.ts";
import { createProgress } from "../../../server/transfer/progress.ts";
import { combineExitCodes, endsEverything, exitCodeOf } from "../exit-codes.ts";
import type { RemoteSession } from "../run-remote.ts";
import { type SaveConflict, savedLine, saveFile } from "./save-file.ts";
import { type Found, walkFolder } from "./walk-folder.ts";

/** Downloads at once. */
const PARALLEL = 4;

/**
 * Downloads everything in a folder into a local folder, several files at once. Continues after a file
 * that cannot be saved. Returns the exit code.
 */
export async function saveFolder(
  session: RemoteSession,
  folder: FolderObject,
  target: string,
  onConflict: SaveConflict,
): Promise<number> {
  const { holdall, output, signal } = session;
  const counts = { saved: 0, kept: 0, skipped: 0, failed: 0, folders: 0 };
  const codes = new Set<number>();
  const progress = createProgress();
  const { files, bytes } = await holdall.folders.size({ id: folder.id }, { signal });
  progress.total = { files, bytes };

  async function onProblem(key: string, error: unknown): Promise<void> {
    if (signal.aborted || endsEverything(error)) throw error;
    counts.failed += 1;
    codes.add(exitCodeOf(error));
    await output.problem(key, error);
  }

  async function save(found: Found): Promise<void> {
    if (found.type === "folder") return;
    const path = join(target, ...found.path);
    let stored = 0;
    const onBytes = (bytes: number): void => {
      stored += bytes;
      progress.bytes += bytes;
    };
    try {
      const saved = await saveFile(session, found.file, path, { onConflict, signal, onBytes });
      counts[saved.outcome] += 1;
      const [line, text] = savedLine(found.file, path, saved);
      await output.print(line, saved.outcome === "skipped" ? text : null);
    } catch (error) {
      progress.bytes -= stored;
      await onProblem(found.file.key, error);
    }
    progress.files += 1;
  }

  const end = output.showProgress("Downloading", progress);
  try {
    await ensureFolder(target);
    await forEachConcurrently(walkInto(), PARALLEL, save);
  } finally {
    end();
  }
  await output.print(
    { type: "summary", path: target, ...counts, bytes: progress.bytes },
    `${countText(counts.saved, "file")} saved, ${counts.kept} kept, ${counts.skipped} skipped, ${counts.failed} failed: ${bytesText(progress.bytes)} in ${target}`,
  );
  return combineExitCodes(codes);

  /** Creates each folder before its content is yielded. Leaves out folders that cannot be created. */
  async function* walkInto(): AsyncGenerator<Found, void> {
    const blocked: string[] = [];
    for await (const found of walkFolder(holdall, folder.id, onProblem, signal)) {
      const path = `${found.path.join("/")}/`;
      if (blocked.some((each) => path.startsWith(each))) continue;
      if (found.type === "folder") {
        try {
          await ensureFolder(join(target, ...found.path));
          counts.folders += 1;
        } catch (error) {
          blocked.push(path);
          await onProblem(found.folder.key, error);
        }
      }
      yield found;
    }
  }
}

/**
 * Creates a folder inside the target folder unless it exists. Throws if something else is in its place,
 * a symbolic link included, which could lead out of the target folder.
 */
async function ensureFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    const found = await lstat(path);
    if (found.isDirectory()) return;
    const what = found.isSymbolicLink() ? "a symbolic link" : "a file";
    throw new Error(`There is ${what} in the place of the folder.`);
  }
}
