import { stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { Visibility } from "../../../sdk/src/holdall.ts";
import { Fault } from "../../../server/domain/faults/fault.ts";
import { keyNames, parseKey, parseName, splitKey } from "../../../server/domain/names/name.ts";
import type { Key } from "../../../server/domain/records.ts";
import { forEachConcurrently } from "../../../server/lib/for-each-concurrently.ts";
import { UsageError } from "../../../server/terminal/usage-error.ts";
import { createProgress } from "../../../server/transfer/progress.ts";
import { combineExitCodes, endsEverything, exitCodeOf } from "../exit-codes.ts";
import { findEntry } from "../find-entry.ts";
import { createFileResumeStore } from "../local/file-resume-store.ts";
import { parseOnConflict } from "../parse-on-conflict.ts";
import { parseSeconds } from "../parse-seconds.ts";
import { isUrl, putUrl } from "../put-url.ts";
import type { RemoteSession } from "../run-remote.ts";
import { type PutJob, type PutSettings, storeFile, storeFolder } from "../store-file.ts";

export interface PutOptions {
  readonly to?: string | undefined;
  readonly visibility?: string | undefined;
  readonly "on-conflict"?: string | undefined;
  readonly "expires-in"?: string | undefined;
}

/** Files at once. */
const PARALLEL = 4;

/**
 * `put PATH… [--to KEY] [--visibility V] [--on-conflict C] [--expires-in S]`: uploads files, and folders as batches. KEY
 * is the key of the file, or an existing folder for it; of a folder, the folder for its content. With
 * several paths, or if KEY ends with "/", KEY is the folder for all of them.
 */
export async function putRemote(
  session: RemoteSession,
  paths: readonly string[],
  options: PutOptions,
): Promise<number> {
  if (paths.length === 0)
    throw new UsageError("`put` takes the paths of local files or folders, or URLs.");
  const { output, server, signal } = session;
  const { stateFolder } = server;
  const settings: PutSettings = {
    visibility: parseVisibility(options.visibility),
    onConflict: parseOnConflict(options["on-conflict"]),
    expiresIn: parseSeconds(options["expires-in"]),
    resume:
      stateFolder === null ? undefined : await createFileResumeStore(join(stateFolder, "uploads")),
    progress: createProgress(),
  };
  const jobs: PutJob[] = [];
  const urls = paths.filter(isUrl);
  const isFolder = paths.length > 1 || /(^|\/)$/.test(options.to ?? "");
  for (const path of paths.filter((each) => !isUrl(each)))
    jobs.push(await planJob(session, path, options.to, paths.length > 1));
  const codes = new Set<number>();
  const end = output.showProgress("Uploading", settings.progress);
  try {
    await forEachConcurrently(urls, PARALLEL, async (url) => {
      try {
        const { visibility, onConflict } = settings;
        await putUrl(session, url, { visibility, onConflict, to: options.to, isFolder });
      } catch (error) {
        if (signal.aborted || endsEverything(error)) throw error;
        codes.add(exitCodeOf(error));
        await output.problem(url, error);
      }
    });
    await forEachConcurrently(jobs, PARALLEL, async (job) => {
      try {
        await (job.isFolder ? storeFolder : storeFile)(session, job, settings);
      } catch (error) {
        if (signal.aborted || endsEverything(error)) throw error;
        codes.add(exitCodeOf(error));
        await output.problem(job.path, error);
      }
    });
  } finally {
    end();
  }
  return combineExitCodes(codes);
}

async function planJob(
  { holdall, signal }: RemoteSession,
  given: string,
  to: string | undefined,
  isOneOfSeveral: boolean,
): Promise<PutJob> {
  const path = resolve(given);
  // Not of `path`, as an empty one would be the working folder.
  const found = await stat(given).catch(() => undefined);
  const isFolder = found?.isDirectory() === true;
  if (!isFolder && found?.isFile() !== true) {
    throw new UsageError(`There is no file or folder ${JSON.stringify(given)}.`);
  }
  const name = parseName(basename(path));
  const key = targetKey(to ?? "");
  const inside = [...keyNames(key), name].join("/");
  if (to === undefined || isOneOfSeveral || /(^|\/)$/.test(to)) {
    return { path, isFolder, folder: isFolder ? inside : key, name };
  }
  if (isFolder) return { path, isFolder, folder: key, name };
  const target = await findEntry(holdall, `${key}/`, signal);
  const place = target === undefined ? splitKey(key) : undefined;
  return { path, isFolder, folder: place?.folder ?? key, name: place?.name ?? name };
}

function targetKey(to: string): Key {
  try {
    return parseKey(to);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new UsageError(`--to ${JSON.stringify(to)}: ${error.message}`);
  }
}

function parseVisibility(text: string | undefined): Visibility | undefined {
  if (text === undefined || text === "public" || text === "private") return text;
  throw new UsageError("--visibility takes public or private.");
}
