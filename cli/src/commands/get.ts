import { mkdir, stat } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import type { FileObject, FolderObject } from "../../../sdk/src/holdall.ts";
import { UsageError } from "../../../server/terminal/usage-error.ts";
import { createProgress } from "../../../server/transfer/progress.ts";
import { exitCodes } from "../exit-codes.ts";
import { requireEntry } from "../find-entry.ts";
import { localName } from "../local/local-name.ts";
import { type SaveConflict, savedLine, saveFile } from "../local/save-file.ts";
import { saveFolder } from "../local/save-folder.ts";
import type { RemoteSession } from "../run-remote.ts";

/**
 * `get KEY [PATH] [--on-conflict refuse|replace|skip]`: downloads a file, or a folder with everything
 * in it. PATH is the name of the file or an existing folder for it; of a folder, the folder for its
 * content. Default: the name on the server, in the working folder.
 */
export async function getRemote(
  session: RemoteSession,
  [key, path, ...more]: readonly string[],
  options: { readonly "on-conflict"?: string | undefined },
): Promise<number> {
  if (key === undefined || more.length > 0) {
    throw new UsageError("`get` takes the key of a file or folder, and optionally a local path.");
  }
  if (path === "") throw new UsageError("The local path is empty.");
  const onConflict = parseConflict(options["on-conflict"]);
  const entry = await requireEntry(session.holdall, key, session.signal);
  return entry.type === "file"
    ? getFile(session, entry.file, path, onConflict)
    : getFolder(session, entry.folder, path, onConflict);
}

async function getFile(
  session: RemoteSession,
  file: FileObject,
  path: string | undefined,
  onConflict: SaveConflict,
): Promise<number> {
  const { output, signal } = session;
  const target = await filePath(file, path);
  if (path !== undefined && isFolderPath(path)) await mkdir(path, { recursive: true });
  const progress = createProgress();
  progress.total = { files: 1, bytes: file.size };
  const end = output.showProgress("Downloading", progress);
  const onBytes = (bytes: number): void => {
    progress.bytes += bytes;
  };
  const saved = await saveFile(session, file, target, { onConflict, signal, onBytes }).finally(end);
  await output.print(...savedLine(file, target, saved));
  return exitCodes.done;
}

async function getFolder(
  session: RemoteSession,
  folder: FolderObject,
  path: string | undefined,
  onConflict: SaveConflict,
): Promise<number> {
  if (path === undefined && folder.key === "") {
    throw new UsageError("The root folder has no name: give the local folder for its content.");
  }
  const target = resolve(path ?? localName(folder.name));
  // A symbolic link that the user names is theirs.
  if (path !== undefined) await mkdir(target, { recursive: true });
  return saveFolder(session, folder, target, onConflict);
}

const isFolderPath = (path: string): boolean => path.endsWith("/") || path.endsWith(sep);

async function filePath(file: FileObject, path: string | undefined): Promise<string> {
  const isFolder =
    path === undefined ||
    isFolderPath(path) ||
    (await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    ));
  return isFolder ? resolve(join(path ?? ".", localName(file.name))) : resolve(path);
}

function parseConflict(text: string | undefined): SaveConflict {
  if (text === undefined) return "refuse";
  if (text === "refuse" || text === "replace" || text === "skip") return text;
  throw new UsageError("--on-conflict takes refuse, replace or skip.");
}
