import { createChangeQueue } from "./change-queue.ts";
import { openConnection, type SqliteConnection } from "./connection.ts";
import { createKysely } from "./kysely.ts";
import { tuneForWriting } from "./tune.ts";
import type { Writer } from "./writer.ts";

/**
 * Makes the changes on this thread, which a slow disk or a busy catalog then stops for a while.
 * `onBroken` is told as `createChangeQueue` says.
 */
export async function openLocalWriter(
  path: string,
  onBroken?: (cause: Error) => void,
): Promise<Writer> {
  const connection = await openToWrite(path);
  const queue = createChangeQueue(connection, createKysely(connection), onBroken);
  return {
    change: queue.change,
    async close() {
      await queue.finish();
      connection.close();
    },
  };
}

async function openToWrite(path: string): Promise<SqliteConnection> {
  const connection = openConnection(path);
  try {
    await tuneForWriting(connection);
    return connection;
  } catch (cause) {
    connection.close();
    throw cause;
  }
}
