import { Database } from "bun:sqlite";
import { join } from "node:path";
import { waitForNoLeftovers } from "../check-server.ts";
import { startServer } from "../server-process.ts";

const withCatalog = <Result>(dataPath: string, work: (catalog: Database) => Result): Result => {
  const catalog = new Database(join(dataPath, "catalog.sqlite"), { readwrite: true });
  try {
    catalog.run("PRAGMA busy_timeout = 5000");
    return work(catalog);
  } finally {
    catalog.close();
  }
};

/** Makes all uploads, multipart uploads and batches in the data folder of a stopped server expired. */
export function expireAll(dataPath: string): void {
  withCatalog(dataPath, (catalog) => {
    for (const table of ["uploads", "batches", "multipart_uploads"]) {
      catalog.run(`UPDATE ${table} SET expires_at = 1`);
    }
  });
}

/** Lets everything expire in the data folder of a stopped server. Returns what a start leaves of it. */
export async function leftAfterExpiry(dataPath: string): Promise<readonly string[]> {
  expireAll(dataPath);
  const server = await startServer(dataPath);
  try {
    const left = await waitForNoLeftovers(dataPath);
    await server.stop();
    return left;
  } finally {
    await server.kill();
  }
}
