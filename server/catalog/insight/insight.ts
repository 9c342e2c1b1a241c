import type { ActivityRecord, Detail, Subject } from "../../domain/activity.ts";
import { EVERYTHING, type SeenBy } from "../../domain/callers/caller.ts";
import { textMatch } from "../../domain/names/name-match.ts";
import type { Engine } from "../engine/engine.ts";
import { firstId } from "../engine/ids.ts";
import type { ActivityQuery } from "../port/insight.ts";
import { createQueriesWithin } from "../records/find-within.ts";
import type { ActivityTable } from "../tables/insight.ts";
import { activityWithin, filterActivity, type SelectEntries } from "./filter-activity.ts";

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
      const { before, limit, text, signal } = query;
      if (text === undefined && within === EVERYTHING) return read(query, before, limit);
      const matches = text === undefined ? () => true : textMatch(text);
      // Without a folder, nothing is inside: saves reading the whole log.
      if (within !== EVERYTHING && (await topFolder(within)) === undefined) return [];
      const select: SelectEntries = async (batch) => {
        if (within === EVERYTHING) {
          return batch.filter(({ actor, address, subject }) =>
            [subject?.name, actor.name, address].some((each) => matches(each ?? "")),
          );
        }
        // A caller with a limit sees no other caller and address, so neither does a match tell of them.
        const inside = await activityWithin(db, batch, within);
        return inside.filter(({ subject }) => matches(subject?.name ?? ""));
      };
      return filterActivity(read.bind(null, query), select, { before, limit, signal });
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
