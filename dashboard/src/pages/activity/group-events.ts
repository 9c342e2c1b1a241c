import type { ActivityObject } from "../../../../sdk/src/holdall.ts";
import { parentKey } from "../../text/key-parts.ts";
import { parseTimestamp } from "../../text/timestamp.ts";
import type { Action } from "./filters.ts";
import { originKeyOf } from "./sentence-parts.ts";

/** Newest first. */
export type EventGroup = readonly [ActivityObject, ...ActivityObject[]];

/** Between two requests of one act. The server may make a client wait for a minute. */
const MAX_PAUSE_MS = 2 * 60_000;
/** A group covers no more, so that a line stays close to its time. */
const MAX_SPAN_MS = 10 * 60_000;
const MAX_EVENTS = 500;
/** Fewer about a single file or folder each keep their names. */
const MIN_SINGLE = 3;

/**
 * Puts adjacent events, newest first, together that are parts of one act: a change of many files takes a
 * request for each thousand.
 */
export function groupEvents(events: readonly ActivityObject[]): EventGroup[] {
  const runs: [ActivityObject, ...ActivityObject[]][] = [];
  for (const event of events) {
    const run = runs.at(-1);
    const later = run?.at(-1);
    if (run !== undefined && later !== undefined && isSameAct(event, later)) run.push(event);
    else runs.push([event]);
  }
  return runs
    .flatMap(cutRun)
    .flatMap((run): EventGroup[] => (isGroup(run) ? [run] : run.map((event) => [event])));
}

/** Cuts from the oldest event on: new events at the other end leave the earlier groups as they are. */
function cutRun(run: EventGroup): EventGroup[] {
  const groups: [ActivityObject, ...ActivityObject[]][] = [];
  let start = 0;
  for (const event of run.toReversed()) {
    const at = parseTimestamp(event.at).getTime();
    const group = groups[0];
    if (group !== undefined && group.length < MAX_EVENTS && at - start <= MAX_SPAN_MS) {
      group.push(event);
    } else {
      groups.unshift([event]);
      start = at;
    }
  }
  for (const group of groups) group.reverse();
  return groups;
}

const isGroup = (run: EventGroup): boolean =>
  run.some(isAboutSeveral) ||
  (run.length >= MIN_SINGLE && (areRepeats(run) || countSubjects(run) >= MIN_SINGLE));

/** Whether all are about the same file or folder. */
const areRepeats = (run: EventGroup): boolean =>
  COUNTS_FILES.has(run[0].action) && !run.some(isAboutSeveral) && countSubjects(run) === 1;

/** The number of files and folders that these events, each about one, are about. */
function countSubjects(events: readonly ActivityObject[]): number {
  const subjects = events.map(({ id, action, subject }) =>
    COUNTS_FILES.has(action) ? (subject?.key ?? subject?.id ?? id) : id,
  );
  return new Set(subjects).size;
}

function isSameAct(event: ActivityObject, later: ActivityObject): boolean {
  const act = actOf(event);
  if (act === undefined || act !== actOf(later)) return false;
  const [from, to] = [parseTimestamp(event.at), parseTimestamp(later.at)];
  return from.toDateString() === to.toDateString() && to.getTime() - from.getTime() <= MAX_PAUSE_MS;
}

/** The caller, the change and its folders, as one text. undefined: no other event is part of the same act. */
function actOf(event: ActivityObject): string | undefined {
  const { action, outcome, actor, address, detail } = event;
  const what = ACTS[action]?.(event);
  if (what === undefined) return undefined;
  const { message = null } = detail;
  return JSON.stringify([...what, outcome, message, actor.kind, actor.id, address]);
}

type Act = readonly (string | number | boolean | null)[] | undefined;

const ACTS: Partial<Record<Action, (event: ActivityObject) => Act>> = {
  changeFile: changeOf,
  changeFolder: changeOf,
  deleteFiles: ({ detail }) => ["delete", detail.trash === true],
  deleteFolder: ({ detail }) => ["delete", detail.trash === true],
  copyFiles: ({ detail: { name, folderId = null } }) =>
    name === undefined ? ["copy", folderId] : undefined,
  restoreTrash: () => ["restore"],
  emptyTrash: ({ detail }) => ["empty", detail.all === true],
  deleteVersions: () => ["versions"],
  uploadFiles: uploadOf,
  putContent: uploadOf,
  receiveFiles: uploadOf,
};

/** A new name, metadata or default is of one file or folder. */
function changeOf(event: ActivityObject): Act {
  const { name, metadata, defaultVisibility, visibility = null } = event.detail;
  if ([name, metadata, defaultVisibility].some((each) => each !== undefined)) return undefined;
  const { folderId, parentId, destination = null } = event.detail;
  return ["change", visibility, folderId ?? parentId ?? null, destination, originKeyOf(event)];
}

function uploadOf(event: ActivityObject): Act {
  const folder = uploadFolderOf(event);
  return folder === undefined ? undefined : [event.action, folder];
}

/** The key of the folder that files were uploaded to. */
function uploadFolderOf({ subject }: ActivityObject): string | undefined {
  if (subject === null || subject.key === null) return undefined;
  return subject.kind === "folder" ? subject.key : (parentKey(subject.key) ?? "");
}

const isAboutSeveral = ({ detail: { files, failed, items, versions } }: ActivityObject): boolean =>
  [files, failed, items, versions].some((count) => typeof count === "number" && count > 1);

const UPLOADS: ReadonlySet<Action> = new Set(["uploadFiles", "putContent", "receiveFiles"]);

/** They count their files; others count items or versions. */
const COUNTS_FILES: ReadonlySet<Action> = new Set([
  ...(["changeFile", "changeFolder", "deleteFiles", "deleteFolder"] as const),
  ...(["copyFiles", "uploadFiles", "putContent", "receiveFiles"] as const),
]);

const isOfFolder = ({ action }: ActivityObject): boolean =>
  action === "changeFolder" || action === "deleteFolder";

/**
 * One event for a group, with the sums of its counts, and the number of folders in `detail.folders`. Of
 * repeats, the newest, with their number in `detail.times`.
 */
export function mergeEvents(events: EventGroup): ActivityObject {
  const [newest] = events;
  if (events.length === 1) return newest;
  if (areRepeats(events)) {
    const times = events.reduce((sum, { detail }) => sum + (numberOf(detail.times) ?? 1), 0);
    return { ...newest, detail: { ...newest.detail, times } };
  }
  const ofFiles = events.filter((event) => !isOfFolder(event));
  const ofFolders = events.filter(isOfFolder);
  const main = ofFiles[0] ?? newest;
  const origin = originKeyOf(main);
  const ofSeveral = ofFiles.filter(isAboutSeveral);
  const files =
    ofSeveral.reduce((sum, { detail }) => sum + (numberOf(detail.files) ?? 1), 0) +
    countSubjects(ofFiles.filter((event) => !isAboutSeveral(event)));
  return {
    ...main,
    id: newest.id,
    at: newest.at,
    subject: subjectOfAll(main),
    detail: {
      ...main.detail,
      ...(origin === null ? {} : { origin }),
      ...(COUNTS_FILES.has(main.action) ? { files, folders: countSubjects(ofFolders) } : {}),
      ...sumsOf(events),
    },
  };
}

/** The subject of a line: for uploads, the folder that they went to. */
function subjectOfAll(event: ActivityObject): ActivityObject["subject"] {
  const key = UPLOADS.has(event.action) ? uploadFolderOf(event) : undefined;
  return key === undefined || event.subject?.kind === "folder"
    ? event.subject
    : { kind: "folder", id: null, key, name: null };
}

/** Sums of the counts that any event has. */
function sumsOf(events: readonly ActivityObject[]): ActivityObject["detail"] {
  const sums: Record<string, number> = {};
  for (const { detail } of events) {
    for (const name of ["failed", "items", "versions", "bytes"]) {
      const value = numberOf(detail[name]);
      if (value !== undefined) sums[name] = (sums[name] ?? 0) + value;
    }
  }
  return sums;
}

const numberOf = (value: ActivityObject["detail"][string] | undefined): number | undefined =>
  typeof value === "number" ? value : undefined;
