import type { ActivityRecord, Detail, Subject } from "../../domain/activity.ts";
import { EVERYTHING, type SeenBy } from "../../domain/caller.ts";
import type { HourlyTraffic, KeyTotals, Millis, RequestedFile } from "../../domain/records.ts";
import { giveWay } from "../../lib/time-slices.ts";
import { chunks } from "../engine/chunks.ts";
import type { Engine } from "../engine/engine.ts";
import { dayText, firstId, hourText } from "../engine/ids.ts";
import type { ActivityQuery } from "../port/insight.ts";
import { selectFiles } from "../records/select-records.ts";
import { createQueriesWithin } from "../records/within.ts";
import type { ActivityTable } from "../tables/insight.ts";
import { activityWithin } from "./activity-within.ts";

export function createActivityQueries(engine: Engine) {
  const { db } = engine;
  const { topFolder } = createQueriesWithin(engine);

  async function read(
    { action, actorId, outcome, subjectId, since, until }: ActivityQuery,
    before: string | undefined,
    limit: number,
  ): Promise<ActivityRecord[]> {
    const rows = await db
      .selectFrom("activity")
      .selectAll()
      .$if(action !== undefined, (query) => query.where("action", "=", action ?? ""))
      .$if(actorId !== undefined, (query) => query.where("actor_id", "=", actorId ?? ""))
      .$if(outcome !== undefined, (query) => query.where("outcome", "=", outcome ?? "done"))
      .$if(subjectId !== undefined, (query) => query.where("subject_id", "=", subjectId ?? ""))
      .$if(since !== undefined, (query) => query.where("id", ">=", firstId(since ?? 0)))
      .$if(until !== undefined, (query) => query.where("id", "<", firstId(until ?? 0)))
      .$if(before !== undefined, (query) => query.where("id", "<", before ?? ""))
      .orderBy("id", "desc")
      .limit(limit)
      .execute();
    return rows.map(toRecord);
  }

  return {
    async activity({ within }: SeenBy, query: ActivityQuery): Promise<ActivityRecord[]> {
      const { before, limit } = query;
      if (within === EVERYTHING) return read(query, before, limit);
      // Without a folder, nothing is inside: saves reading the whole log.
      if ((await topFolder(within)) === undefined) return [];
      return activityWithin(db, { read: read.bind(null, query), within }, { before, limit });
    },
  };
}

/** Files in one statement that looks for those that still exist. */
const FILES = 100;

export function createTrafficQueries({ db }: Engine) {
  /** The requests of every file, existing or not: at most 250 files a day. Most requests first. */
  async function requestsByFile(since: Millis) {
    const rows = await db
      .selectFrom("file_traffic")
      .select(({ fn }) => [
        "file_id as fileId",
        fn.sum<number>("requests").as("requests"),
        fn.sum<number>("bytes").as("bytes"),
      ])
      .where("id", ">=", dayText(since))
      .groupBy("file_id")
      .orderBy("requests", "desc")
      .orderBy("file_id")
      .execute();
    // Engines may return sums as text, since they can exceed a number.
    return rows.map(({ fileId, requests, bytes }) => ({
      fileId,
      requests: Number(requests),
      bytes: Number(bytes),
    }));
  }

  return {
    async traffic(since: Millis): Promise<HourlyTraffic[]> {
      const hours = await db
        .selectFrom("traffic")
        .selectAll()
        .where("hour", ">=", since)
        .orderBy("hour")
        .execute();
      const errors = await db
        .selectFrom("traffic_errors")
        .select(["hour", "status", "requests"])
        .where("id", ">=", hourText(since))
        .orderBy("id")
        .execute();
      const byHour = Map.groupBy(errors, ({ hour }) => hour);
      return hours.map((each) => ({
        ...each,
        errorsByStatus: (byHour.get(each.hour) ?? []).map(({ status, requests }) => ({
          status,
          requests,
        })),
      }));
    },
    async requestedFiles(since: Millis, limit: number): Promise<RequestedFile[]> {
      const found: RequestedFile[] = [];
      for (const counts of chunks(await requestsByFile(since), FILES)) {
        // All of them may be deleted files, so other work of the process runs in between.
        await giveWay();
        const ids = counts.map(({ fileId }) => fileId);
        const files = await selectFiles(db).where("files.id", "in", ids).execute();
        const byId = new Map(files.map((file) => [file.id, file]));
        for (const { fileId, requests, bytes } of counts) {
          const file = byId.get(fileId);
          if (file !== undefined) found.push({ file, requests, bytes });
          if (found.length === limit) return found;
        }
      }
      return found;
    },
    async keyTraffic(since: Millis): Promise<KeyTotals[]> {
      const rows = await db
        .selectFrom("key_traffic")
        .select(({ fn }) => [
          "key_id as keyId",
          fn.sum<number>("requests").as("requests"),
          fn.sum<number>("bytes").as("bytes"),
          fn.sum<number>("errors").as("errors"),
        ])
        .where("id", ">=", dayText(since))
        .groupBy("key_id")
        .execute();
      // Engines may return sums as text, since they can exceed a number.
      return rows.map(({ keyId, requests, bytes, errors }) => ({
        keyId,
        requests: Number(requests),
        bytes: Number(bytes),
        errors: Number(errors),
      }));
    },
  };
}

const toRecord = (row: ActivityTable): ActivityRecord => ({
  id: row.id,
  at: row.at,
  action: row.action,
  outcome: row.outcome,
  status: row.status,
  actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
  address: row.address,
  subject: subjectOf(row),
  detail: detailOf(row.detail),
});

function subjectOf(row: ActivityTable): Subject | null {
  if (row.subject_kind === null) return null;
  return { kind: row.subject_kind, id: row.subject_id, name: row.subject_name };
}

function detailOf(text: string): Detail {
  const detail: Detail = JSON.parse(text);
  return detail;
}
