import { afterAll, test } from "bun:test";
import { api, send } from "./client.ts";
import { expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { newKeyData } from "./shapes.ts";

const server = await startServer();
afterAll(() => server.discard());

test.each([
  "/api/files?cursor=bad",
  "/api/files?cursor=&offset=1",
  "/api/files?cursor=&limit=0",
  "/api/folders?cursor=bad",
  "/api/folders?folder=none&cursor=bad",
  "/api/files/versions?key=a&cursor=bad",
  "/api/search?q=a&cursor=bad",
  "/api/changes?since=bad",
  "/api/links?cursor=bad",
  "/api/trash?cursor=bad",
  "/api/activity?cursor=bad",
  "/api/webhooks/deliveries?id=a&cursor=bad",
])("%s is bad input also for a key that may not list", async (path) => {
  const wanted = { name: "limited", actions: ["write"] };
  const made = await api(server).json("POST", "/api/keys", wanted);
  const { secret } = expectData(made, newKeyData);
  expectFault(await send(server, "GET", path, { "API-Key": secret }), 400);
});
