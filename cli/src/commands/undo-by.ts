import { undoOf } from "../../../sdk/src/undo.ts";
import { parseDuration } from "../../../server/config/parse-units.ts";
import { UsageError } from "../../../server/terminal/usage-error.ts";
import { exitCodes } from "../exit-codes.ts";
import type { RemoteSession } from "../run-remote.ts";

export interface UndoByOptions {
  readonly by?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly folder?: string | undefined;
}

/** `undo --by ID --since WHEN`: takes back what an API key or an account did. */
export async function undoBy(
  { holdall, output, signal }: RemoteSession,
  { by, since, until, folder }: UndoByOptions,
): Promise<number> {
  if (by === undefined || since === undefined) {
    throw new UsageError("`undo --by ID` takes --since, such as 2h or 2027-01-31T14:00.");
  }
  const { at, total, changes, conflicts } = await undoOf(holdall).run({
    by,
    since: momentOf("--since", since),
    ...(until === undefined ? {} : { until: momentOf("--until", until) }),
    ...(folder === undefined ? {} : { folder }),
    signal,
  });
  for (const { type, id, key, fromKey } of changes) {
    await output.print(
      { type: "undone", change: type, id, key, fromKey },
      fromKey === null || fromKey === key ? `${type} ${key}` : `${type} ${fromKey} to ${key}`,
    );
  }
  for (const { kind, id, key, reason } of conflicts) {
    await output.print({ type: "conflict", kind, id, key, reason }, `Left ${key ?? id}: ${reason}`);
  }
  await output.print(
    { type: "undo", at, total, conflicts: conflicts.length },
    `Undid ${total} changes, left ${conflicts.length}.`,
  );
  return conflicts.length > 0 ? exitCodes.failed : exitCodes.done;
}

/** A time, or how long ago. */
function momentOf(option: string, text: string): Date {
  const ago = parseDuration(text);
  const moment = ago === undefined ? new Date(text) : new Date(Date.now() - ago);
  if (Number.isNaN(moment.getTime())) {
    throw new UsageError(
      `${option} takes how long ago, such as 2h, or a time, such as 2027-01-31.`,
    );
  }
  return moment;
}
