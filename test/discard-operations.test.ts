import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Operation } from "../contract/operation.ts";
import { operations } from "../contract/operations.ts";
import { api, send } from "./client.ts";
import { expectData } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { operationCalls } from "./operation-calls.ts";
import { newKeyData } from "./shapes.ts";
import { isOnDisk } from "./test-stores.ts";

/*
 * Every operation of the contract that keys may use, on a server that deletes permanently by default, with a key
 * that has `discard` and with one that may do everything. No content may be lost to the first.
 */

/** These lose content if the key has `delete`. */
const DESTRUCTIVE = ["deleteFiles", "deleteFolder", "deleteVersions", "emptyTrash"];

const server = await startServer({ KEEP_VERSIONS: "true", TRASH_DELETIONS: "false" });
afterAll(() => server.discard());
const calls = Object.entries(operationCalls(server));

async function newKey(actions: readonly string[]): Promise<string> {
  const body = { name: "agent", actions };
  const { secret } = expectData(await api(server).json("POST", "/api/keys", body), newKeyData);
  return secret;
}

/** The contents of files in the tree and in the trash, and of versions. */
function contents(): Set<string> {
  const database = new Database(join(server.dataPath, "catalog.sqlite"), { readonly: true });
  const query = "select blob_id from files union select blob_id from versions";
  const found = database.query(query).values().flat().map(String);
  database.close();
  return new Set(found);
}

/** Returns the status of the response, and whether content is lost. */
async function callWith(secret: string, id: string, call: (typeof calls)[number][1]) {
  const operation = Object.values<Operation>(operations).find((each) => each.id === id);
  const { path, body, contentType } = await call();
  const before = contents();
  const headers = { "API-Key": secret, ...(contentType && { "Content-Type": contentType }) };
  const { status } = await send(server, operation?.method ?? "", path, headers, body);
  return { status, isLost: !contents().isSupersetOf(before) };
}

describe.skipIf(!isOnDisk)("every operation", async () => {
  const limited = await newKey(["list", "read", "write", "discard", "share", "keys"]);

  test.each(calls)("%s loses no content to a key without `delete`", async (id, call) => {
    const mine = await callWith(limited, id, call);
    expect(mine.isLost).toBe(false);
    const all = await callWith(server.apiKey, id, call);
    expect(all.isLost).toBe(DESTRUCTIVE.includes(id));
    // Otherwise nothing is shown above.
    expect(all.status).toBeLessThan(id === "fetchFiles" ? 600 : 400);
  });
});
