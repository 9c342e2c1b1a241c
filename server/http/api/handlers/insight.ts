import type { ActivityObject } from "../../../../contract/api.ts";
import type { insightOperations } from "../../../../contract/operations/insight.ts";
import type { ApiKeys } from "../../../access/api-keys.ts";
import { actorOf, type Identity, isMember, makerIdsOf } from "../../../access/authenticate.ts";
import type { ActivityRecord } from "../../../domain/activity.ts";
import { EVERYTHING, type SeenBy } from "../../../domain/callers/caller.ts";
import { Fault } from "../../../domain/faults/fault.ts";
import { timestamp } from "../../../domain/timestamp.ts";
import type { Activity } from "../../../insight/activity.ts";
import type { ReadOverview } from "../../../insight/overview.ts";
import { activityObject, fileObject } from "../objects.ts";
import { activityTable, tableFormat } from "./activity-table.ts";
import { invalidCursor, readCursor, writeCursor } from "./cursor.ts";
import type { Handlers } from "./handler.ts";

const DEFAULT_LIMIT = 50;
const TABLE_BATCH = 500;

export interface InsightHandlerDeps {
  readonly keys: Pick<ApiKeys, "list">;
  readonly activity: Activity;
  readonly overview: ReadOverview;
}

export function insightHandlers({
  activity,
  overview,
  keys,
}: InsightHandlerDeps): Handlers<keyof typeof insightOperations> {
  /** Members see only what they, or their keys, have done. Fault "forbidden": somebody else is asked for. */
  async function ownActor(identity: Identity | undefined, actor: string | undefined) {
    const [self, ...made] = (await makerIdsOf(identity, keys)) ?? [];
    if (actor === undefined) return self;
    if (actor === self || made.includes(actor)) return actor;
    throw new Fault("forbidden", "You see only your own activity.");
  }

  return {
    async overview({ query, caller }) {
      const { statistics, free, trash, versions, largest, newest, ...requests } = await overview(
        caller,
        query.period ?? "day",
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

    async listActivity({ query, caller, identity, request }) {
      const { limit, cursor, actor, subject, q, format, ...filter } = query;
      const { signal } = request;
      const actorId = isMember(identity) ? await ownActor(identity, actor) : actor;
      const conditions = { ...filter, actorId, subjectId: subject, text: q, signal };
      const table = format ?? tableFormat(request);
      if (table !== undefined) {
        if (limit !== undefined || cursor !== undefined) {
          throw new Fault("invalid", "A table has no pages: leave out `limit` and `cursor`.");
        }
        const read = (before: string | undefined) =>
          activity.list(caller, { ...conditions, before, limit: TABLE_BATCH });
        const seen = (records: readonly ActivityRecord[]) => seenBy(caller, identity, records);
        return activityTable(table, { read, seen });
      }
      const pageSize = limit ?? DEFAULT_LIMIT;
      const list = `activity ${JSON.stringify([actor ?? "", subject ?? "", filter, q ?? ""])}`;
      const found = await activity.list(caller, {
        ...conditions,
        before: cursor === undefined || cursor === "" ? undefined : idIn(list, cursor),
        // One more shows whether there is another page.
        limit: pageSize + 1,
      });
      const page = found.slice(0, pageSize);
      const last = found.length > pageSize ? page.at(-1) : undefined;
      return {
        activity: seenBy(caller, identity, page),
        nextCursor: last === undefined ? null : writeCursor(list, [last.id]),
      };
    },
  };
}

/** What the caller may know of these entries. */
const seenBy = (
  { within }: SeenBy,
  identity: Identity | undefined,
  records: readonly ActivityRecord[],
): ActivityObject[] => {
  const visible =
    within === EVERYTHING ? records : records.map((record) => withoutOthers(record, identity));
  return visible.map(activityObject).filter((each) => each !== undefined);
};

function idIn(list: string, cursor: string): string {
  const [id] = readCursor(list, cursor);
  if (typeof id !== "string") throw invalidCursor();
  return id;
}

/**
 * A caller with a folder learns neither who sent the requests of other callers nor their details, which
 * may name files and folders outside.
 */
function withoutOthers(record: ActivityRecord, identity: Identity | undefined): ActivityRecord {
  const { kind, id } = record.actor;
  const self = actorOf(identity);
  const isCaller = id !== null && self.kind === kind && self.id === id;
  return isCaller
    ? record
    : { ...record, actor: { kind, id: null, name: null }, address: null, detail: {} };
}
