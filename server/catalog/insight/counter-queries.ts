import type { Millis, RequestedFile } from "../../domain/records.ts";
import { giveWay } from "../../lib/time-slices.ts";
import { chunks } from "../engine/chunks.ts";
import type { Engine } from "../engine/engine.ts";
import type { Count, CounterKind, Totals } from "../port/counters.ts";
import { selectFiles } from "../records/select-records.ts";
import { firstIdOf } from "./counters.ts";

/** Files in one statement that looks for those that still exist. */
const FILES = 100;

/** Greater than all ids of a kind: the character after the space. */
const endOfIds = (kind: CounterKind): string => `${kind}!`;

const periodOf = (id: string): Millis => Date.parse(id.split(" ")[1] ?? "");

export function createCounterQueries({ db }: Engine) {
  const selectSince = (kind: CounterKind, since: Millis) =>
    db
      .selectFrom("counters")
      .where("id", ">=", firstIdOf(kind, since))
      .where("id", "<", endOfIds(kind));

  async function totals(kind: CounterKind, since: Millis): Promise<Totals[]> {
    const rows = await selectSince(kind, since)
      .select(({ fn }) => [
        "subject",
        fn.sum<number>("requests").as("requests"),
        fn.sum<number>("bytes").as("bytes"),
        fn.sum<number>("errors").as("errors"),
      ])
      .groupBy("subject")
      .orderBy("requests", "desc")
      .orderBy("subject")
      .execute();
    // Engines may return sums as text, since they can exceed a number.
    return rows.map(({ subject, requests, bytes, errors }) => ({
      subject,
      requests: Number(requests),
      bytes: Number(bytes),
      errors: Number(errors),
    }));
  }

  return {
    async counts(kind: CounterKind, since: Millis): Promise<Count[]> {
      const rows = await selectSince(kind, since)
        .select(["id", "subject", "requests", "bytes", "errors"])
        .orderBy("id")
        .execute();
      return rows.map(({ id, ...counts }) => ({ period: periodOf(id), ...counts }));
    },
    totals,
    async requestedFiles(since: Millis, limit: number): Promise<RequestedFile[]> {
      const found: RequestedFile[] = [];
      for (const counts of chunks(await totals("file", since), FILES)) {
        // All of them may be deleted files, so other work of the process runs in between.
        await giveWay();
        const ids = counts.map(({ subject }) => subject);
        const files = await selectFiles(db).where("files.id", "in", ids).execute();
        const byId = new Map(files.map((file) => [file.id, file]));
        for (const { subject, requests, bytes } of counts) {
          const file = byId.get(subject);
          if (file !== undefined) found.push({ file, requests, bytes });
          if (found.length === limit) return found;
        }
      }
      return found;
    },
  };
}
