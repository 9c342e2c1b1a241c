import { afterPrefix, compareUtf8, FIRST, lowerBound } from "../../../contract/text/utf8-order.ts";
import { EVERYTHING, type SeenBy } from "../../domain/callers/caller.ts";
import { isInFolder } from "../../domain/callers/scope.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { MAX_KEY_SEGMENTS, ROOT_KEY } from "../../domain/names/name.ts";
import type { Key } from "../../domain/records.ts";
import type { ListedFolder } from "../../domain/tree-change.ts";
import type { Engine } from "../engine/engine.ts";
import type { ObjectEntry, ObjectList, ObjectListRequest } from "../port/objects.ts";
import { createQueriesWithin } from "../records/find-within.ts";
import { foldersByKey, keysWithin } from "../records/object-folders.ts";
import { createObjectWalk, type ObjectWalk, type WalkFolder } from "./object-walk.ts";

const BATCH = 500;
/** How often to start again because a folder was moved out of the limits meanwhile. */
const MAX_TRIES = 5;

/**
 * The most private objects that a list of public ones passes by. A position among them cannot be told, so the list
 * does not go on from there.
 */
const MAX_HIDDEN = 50_000;

const tooManyHidden = (): Fault =>
  new Fault("forbidden", "Too many objects here are private for a list without a signature.");

type Runner = Pick<Engine, "all" | "first">;

export function createListObjects(engine: Runner) {
  const { topFolder } = createQueriesWithin(engine);

  /** The folder with all objects of the list, and the begin of their keys. */
  async function findTop({ within }: SeenBy, bucket: Key): Promise<WalkFolder | undefined> {
    const top = within === EVERYTHING ? undefined : await topFolder(within);
    if (within !== EVERYTHING && top === undefined) return undefined;
    const key = top !== undefined && isInFolder(top.key, bucket) ? top.key : bucket;
    if (top !== undefined && !isInFolder(key, top.key)) return undefined;
    const [found] = await foldersByKey(engine, [key]);
    if (found === undefined || key === ROOT_KEY) return undefined;
    const prefix = key === bucket ? "" : `${key.slice(bucket.length + 1)}/`;
    return { ...found, prefix };
  }

  async function list(
    caller: SeenBy,
    request: ObjectListRequest,
    tries: number,
  ): Promise<ObjectList | undefined> {
    const top = await findTop(caller, request.bucket);
    if (top === undefined) return undefined;
    const start = startOf(request, top.prefix);
    if (start === undefined || request.limit <= 0) return { entries: [], more: false };
    const path = await pathTo(engine, top, start);
    const walk = createObjectWalk(engine, {
      path,
      batch: Math.min(request.limit + 1, BATCH),
      purpose: request.delimiter === "/" && request.onlyPublic !== true ? "heads" : "content",
    });
    const entries = await collect(walk, request);
    if (!(await areStillWithin(engine, walk.visited, caller))) {
      if (tries === MAX_TRIES) {
        throw new Fault("unavailable", "Folders are being moved. Please try again.", {
          retryAfter: 1,
        });
      }
      return list(caller, request, tries + 1);
    }
    return { entries: entries.slice(0, request.limit), more: entries.length > request.limit };
  }

  return (caller: SeenBy, request: ObjectListRequest) => list(caller, request, 1);
}

/** The text from which on keys are listed; undefined: there are none. */
function startOf({ prefix, after, delimiter }: ObjectListRequest, top: string): string | undefined {
  const from = after === "" ? prefix : afterEntry({ prefix, after, delimiter });
  if (from === undefined) return undefined;
  const start = compareUtf8(from, prefix) > 0 ? from : prefix;
  if (!start.startsWith(prefix)) return undefined;
  if (start.startsWith(top)) return lowerBound(start);
  return compareUtf8(start, top) < 0 && top.startsWith(prefix) ? top : undefined;
}

function afterEntry({
  prefix,
  after,
  delimiter,
}: Pick<ObjectListRequest, "prefix" | "after" | "delimiter">): string | undefined {
  if (delimiter !== undefined && after.startsWith(prefix)) {
    const common = commonPrefix(after, prefix, delimiter);
    if (common !== undefined) return afterPrefix(common);
  }
  return `${after}${FIRST}`;
}

function commonPrefix(key: string, prefix: string, delimiter: string): string | undefined {
  const at = key.indexOf(delimiter, prefix.length);
  return at === -1 ? undefined : key.slice(0, at + delimiter.length);
}

/** The existing folders on the path to `start`, each with the name at which to continue its children. */
async function pathTo(runner: Runner, top: WalkFolder, start: string) {
  const rest = start.slice(top.prefix.length).split("/");
  const names = rest.slice(0, -1);
  const end = names.indexOf("");
  const wanted = names.slice(0, end === -1 ? MAX_KEY_SEGMENTS : end);
  const keys = wanted.map(
    (_, index) => `${top.folder.key}/${wanted.slice(0, index + 1).join("/")}` as Key,
  );
  const found = new Map<string, WalkFolder>();
  if (keys.length > 0) {
    for (const each of await foldersByKey(runner, keys)) {
      const prefix = `${each.folder.key.slice(top.folder.key.length + 1)}/`;
      found.set(each.folder.key, { ...each, prefix: `${top.prefix}${prefix}` });
    }
  }
  const path: { at: WalkFolder; from: string }[] = [];
  let at = top;
  for (const [index, key] of keys.entries()) {
    const next = found.get(key);
    if (next === undefined) break;
    path.push({ at, from: `${wanted[index] ?? ""}/${FIRST}` });
    at = next;
  }
  const [name = "", ...more] = rest.slice(path.length);
  path.push({ at, from: more.length === 0 ? name : `${name}/${FIRST}` });
  return path;
}

/** One entry more than the limit, if there is one. */
async function collect(
  walk: ObjectWalk,
  { bucket, prefix, delimiter, limit, onlyPublic = false }: ObjectListRequest,
): Promise<ObjectEntry[]> {
  const entries: ObjectEntry[] = [];
  let hidden = 0;
  while (entries.length <= limit) {
    const next = await walk.next();
    if (next === undefined || !next.key.startsWith(prefix)) break;
    if (onlyPublic && !("file" in next && next.file.visibility === "public")) {
      hidden += 1;
      if (hidden > MAX_HIDDEN) throw tooManyHidden();
      continue;
    }
    const common = delimiter === undefined ? undefined : commonPrefix(next.key, prefix, delimiter);
    if (common !== undefined) {
      entries.push({ kind: "prefix", prefix: common });
      walk.skip(common);
    } else if ("file" in next) {
      const key = `${bucket}/${next.key}` as Key;
      entries.push({ kind: "object", file: { ...next.file, key } });
    } else if ("folder" in next) entries.push({ kind: "folder", folder: next.folder });
  }
  return entries;
}

/** Nothing may be listed that has come into a folder after it was moved out of the limits. */
async function areStillWithin(
  runner: Runner,
  visited: readonly ListedFolder[],
  { within }: SeenBy,
): Promise<boolean> {
  if (within === EVERYTHING) return true;
  const ids = visited.map(({ id }) => id);
  const keys = await keysWithin(runner, ids, within);
  return visited.every(({ id, key }) => keys.get(id) === key);
}
