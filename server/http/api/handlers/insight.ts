import type { insightOperations } from "../../../../contract/operations/insight.ts";
import type { Caller } from "../../../access/authenticate.ts";
import type { ActivityRecord } from "../../../domain/activity.ts";
import { Fault } from "../../../domain/fault.ts";
import { isLimitedToFolder } from "../../../domain/scope.ts";
import { timestamp } from "../../../domain/timestamp.ts";
import type { Activity } from "../../../insight/activity.ts";
import type { ReadOverview } from "../../../insight/overview.ts";
import { activityObject, fileObject } from "../objects.ts";
import { invalidCursor, readCursor, writeCursor } from "./cursor.ts";
import type { Handlers } from "./handler.ts";

const DEFAULT_LIMIT = 50;

export interface InsightHandlerDeps {
  readonly activity: Activity;
  readonly overview: ReadOverview;
}

export function insightHandlers({
  activity,
  overview,
}: InsightHandlerDeps): Handlers<keyof typeof insightOperations> {
  return {
    async overview({ query, scope }) {
      const { statistics, free, trash, versions, largest, newest, ...requests } = await overview(
        query.period ?? "day",
        scope.folderIds,
      );
      const { traffic, previous, mostRequested } = requests;
      return {
        // The root does not count as a folder.
        storage: {
          used: statistics.bytes,
          free,
          files: statistics.files,
          folders: statistics.folders - 1,
          trash,
          versions,
        },
        types: statistics.kinds.map(({ kind, files, bytes }) => ({ type: kind, files, bytes })),
        largest: largest.map(fileObject),
        newest: newest.map(fileObject),
        traffic: traffic.map(({ hour, errorsByStatus, ...counts }) => ({
          at: timestamp(hour),
          ...counts,
          errorsByStatus: [...errorsByStatus],
        })),
        previous,
        mostRequested: {
          since: timestamp(mostRequested.since),
          files: mostRequested.files.map(({ file, ...counts }) => ({
            file: fileObject(file),
            ...counts,
          })),
        },
      };
    },

    async clearActivity({ body: { before, all } }) {
      if ((before === undefined) === (all === undefined)) {
        throw new Fault("invalid", "Give either `before` or `all`: true.");
      }
      // Entries of this very millisecond, too.
      return { deleted: await activity.clear(before ?? Date.now() + 1) };
    },

    async listActivity({ query, scope, caller }) {
      const { limit = DEFAULT_LIMIT, cursor = "", actor, subject, ...filter } = query;
      const list = `activity ${JSON.stringify([actor ?? "", subject ?? "", filter])}`;
      const found = await activity.list({
        ...filter,
        actorId: actor,
        subjectId: subject,
        before: cursor === "" ? undefined : idIn(list, cursor),
        within: scope.folderIds,
        // One more shows whether there is another page.
        limit: limit + 1,
      });
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      const visible = isLimitedToFolder(scope)
        ? page.map((record) => withoutOthers(record, caller))
        : page;
      return {
        activity: visible.map(activityObject).filter((each) => each !== undefined),
        nextCursor: last === undefined ? null : writeCursor(list, [last.id]),
      };
    },
  };
}

function idIn(list: string, cursor: string): string {
  const [id] = readCursor(list, cursor);
  if (typeof id !== "string") throw invalidCursor();
  return id;
}

/**
 * A caller with a folder learns neither who sent the requests of other callers nor their details, which
 * may name files and folders outside.
 */
function withoutOthers(record: ActivityRecord, caller: Caller | undefined): ActivityRecord {
  const { kind, id } = record.actor;
  const isCaller = kind === "key" && caller?.kind === "key" && caller.key.id === id;
  return isCaller
    ? record
    : { ...record, actor: { kind, id: null, name: null }, address: null, detail: {} };
}
