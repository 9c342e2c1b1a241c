import { createChangeQueue } from "./change-queue.ts";
import { openConnection } from "./connection.ts";
import { createKysely } from "./kysely.ts";
import { tuneForWriting } from "./tune.ts";
import type { Writer } from "./writer.ts";

/**
 * Makes the changes on this thread, which a slow disk or a busy catalog then stops for a while.
 * `onBroken` is told as `createChangeQueue` says.
 */
export function openLocalWriter(path: string, onBroken?: (cause: Error) => void): Writer {
  const connection = openConnection(path);
  tuneForWriting(connection);
  const queue = createChangeQueue(connection, createKysely(connection), onBroken);
  return {
    change: queue.change,
    async close() {
      await queue.finish();
      connection.close();
    },
  };
}
