import { afterAll, describe, expect, test } from "bun:test";
import { takesDryRun } from "../contract/objects/dry-run.ts";
import type { Operation } from "../contract/operation.ts";
import { operations } from "../contract/operations.ts";
import { dryRun } from "../sdk/src/dry-run.ts";
import { api, type HeaderPairs, send, unique } from "./client.ts";
import { expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { field, filePart, multipart } from "./multipart.ts";
import { operationCalls } from "./operation-calls.ts";
import { blobsOf, catalogRows } from "./snapshot.ts";
import { trashApi } from "./trash-requests.ts";
import { append, createAsTus, createUpload, metadataOf, offsetOf, TUS } from "./upload-url.ts";

const server = await startServer({ KEEP_VERSIONS: "true", RATE_LIMIT_API: "0" });
afterAll(() => server.discard());
const a = api(server);
const t = trashApi(server);
const calls = operationCalls(server);

/** Everything that a client can see, the blobs, and the rows of the catalog. */
async function everything() {
  const paths = ["/api/files?orderBy=createdAt", "/api/folders", "/api/trash", "/api/activity"];
  const seen = await Promise.all(paths.map(async (path) => JSON.parse((await a.get(path)).text)));
  const feed = JSON.parse((await a.get("/api/changes?limit=1000")).text).data.changes;
  return { seen, feed, blobs: blobsOf(server.dataPath), rows: catalogRows(server) };
}

/** Refused requests are in the audit log, a little later. */
const withoutActivity = ({ seen, rows, ...rest }: Awaited<ReturnType<typeof everything>>) => ({
  ...rest,
  seen: seen.slice(0, 3),
  rows: rows.filter((row) => !row.startsWith("activity ")),
});

const changing = Object.values<Operation>(operations).filter(takesDryRun);

test("every operation that changes the tree has a dry run, but for uploads and what goes with them", () => {
  expect(changing.map(({ id }) => id).toSorted()).toEqual(
    [
      ...["changeFile", "changeFolder", "copyFiles", "copyFolder", "createFolder"],
      ...["deleteFiles", "deleteFolder", "deleteVersions", "emptyTrash", "restoreTrash"],
      ...["restoreVersion", "undoChanges"],
    ].toSorted(),
  );
});

describe.each(changing.map((operation) => [operation.id, operation] as const))(
  "%s",
  (id, operation) => {
    const call = Object.entries(calls).find(([name]) => name === id)?.[1];

    async function request(change: object, query = "", more: HeaderPairs = {}) {
      const made = await call?.();
      const body = { ...JSON.parse(String(made?.body ?? "{}")), ...change };
      const headers = { "API-Key": server.apiKey, "Content-Type": "application/json", ...more };
      return {
        send: () =>
          send(server, operation.method, `${made?.path}${query}`, headers, JSON.stringify(body)),
      };
    }

    test.each([
      ["the body", { dryRun: true }, ""],
      ["the query", {}, "?dryRun=true"],
    ])("with `dryRun` in %s only says what it would do", async (_, change, query) => {
      const asked = await request(change, query);
      // The audit log is written a little later.
      await Bun.sleep(1500);
      const before = await everything();
      const answer = await asked.send();
      expect([answer.status, answer.text]).toEqual([200, answer.text]);
      const { data } = JSON.parse(answer.text);
      expect(Object.keys(data)).toEqual(["dryRun"]);
      expect(data.dryRun.links).toEqual([]);
      const isPermanent = ["emptyTrash", "deleteVersions"].includes(id);
      expect(data.dryRun.total > 0 || isPermanent).toBe(true);
      await Bun.sleep(300);
      expect(await everything()).toEqual(before);
    });

    test("refuses misspelt and other values", async () => {
      const wrong: [object, string, HeaderPairs?][] = [
        [{ dryrun: true }, ""],
        [{ dry_run: true }, ""],
        [{ dryRuns: true }, ""],
        [{ dryRun: "true" }, ""],
        [{ dryRun: 1 }, ""],
        [{ dryRun: null }, ""],
        [{}, "?dryrun=true"],
        [{}, "?dry-run=true"],
        [{}, "?dryRun=1"],
        [{}, "?dryRun="],
        [{}, "?dryRun=true&dryRun=true"],
        [{}, "", { "X-Dry-Run": "true" }],
        [{}, "", { "dry-run": "1" }],
        [{}, "", { "X-Holdall-DryRun": "" }],
      ];
      const before = await a.list("");
      for (const [change, query, headers] of wrong) {
        const asked = await request(change, query, headers);
        const files = await a.list("?orderBy=createdAt");
        expectFault(await asked.send(), 400);
        expect(await a.list("?orderBy=createdAt")).toEqual(files);
      }
      expect((await a.list("")).length).toBeGreaterThanOrEqual(before.length);
    });

    test("with `dryRun: false` does it", async () => {
      const answer = await (await request({ dryRun: false })).send();
      expect(answer.status).toBe(200);
      expect(JSON.parse(answer.text).data.dryRun).toBeUndefined();
    });
  },
);

const others = Object.entries(calls).flatMap(([id, call]) => {
  const operation = Object.values<Operation>(operations).find((each) => each.id === id);
  const isRead = operation === undefined || ["GET", "HEAD"].includes(operation.method);
  return isRead || takesDryRun(operation) ? [] : [[id, operation, call] as const];
});

test.each(others)(
  "%s has no dry run: it is refused, and nothing is done",
  async (_, { method }, call) => {
    const { path, body, contentType } = await call();
    const headers = {
      "API-Key": server.apiKey,
      ...(contentType && { "Content-Type": contentType }),
    };
    const before = await everything();
    const query = `${path.includes("?") ? "&" : "?"}dryRun=true`;
    expectFault(await send(server, method, path + query, headers, body), 400);
    const asking = { ...headers, "X-Dry-Run": "true" };
    expectFault(await send(server, method, path, asking, body), 400);
    if (contentType === "application/json") {
      const tried = JSON.stringify({ ...JSON.parse(String(body)), dryRun: true });
      expectFault(await send(server, method, path, headers, tried), 400);
    }
    await Bun.sleep(200);
    expect(withoutActivity(await everything())).toEqual(withoutActivity(before));
  },
);

test("uploads have none, and store nothing", async () => {
  const folder = unique("none");
  const form = [field("folder", folder), filePart("a.txt", "x")];
  expectFault(await a.upload([field("dryRun", "true"), ...form]), 400);
  const path = `/api/files/content?key=${folder}/a.txt`;
  for (const query of ["&dryRun=true", "&dryrun=true"]) {
    expectFault(await send(server, "PUT", path + query, { "API-Key": server.apiKey }, "x"), 400);
  }
  expect((await a.get(`/api/files?key=${folder}/a.txt`)).status).toBe(404);
});

test("a header that says that it is no dry run changes nothing about it", async () => {
  const folder = unique("no");
  const headers = { "X-Dry-Run": "false" };
  expect((await a.json("POST", "/api/folders", { folder }, headers)).status).toBe(200);
});

test("requests of tus have none, and do nothing", async () => {
  const folder = unique("tus");
  const length = { "Upload-Length": "3" };
  const named = { filename: "a.txt", folder };
  for (const key of ["dryRun", "dry-run", "dryrun"]) {
    const metadata = metadataOf({ ...named, [key]: "true" });
    expectFault(await createAsTus(server, { ...length, ...metadata }), 400);
  }
  expectFault(
    await createAsTus(server, { ...length, ...metadataOf(named), "X-Dry-Run": "true" }),
    400,
  );
  const path = await createUpload(server, { folder, name: "a.txt", size: 3 });
  expectFault(await append(server, path, 0, "abc", { "X-Dry-Run": "true" }), 400);
  expectFault(await append(server, `${path}?dryRun=true`, 0, "abc"), 400);
  expect(await offsetOf(server, path)).toBe(0);
  for (const [query, header] of [
    ["?dryRun=true", {}],
    ["", { "X-Dry-Run": "true" }],
  ] as const) {
    expectFault(await send(server, "DELETE", path + query, { ...TUS, ...header }), 400);
  }
  expect((await append(server, path, 0, "abc")).status).toBe(204);
});

test("files that visitors send to a link have none, and are not stored", async () => {
  const { id: folderId, key: folder } = await a.folder(unique("drop"));
  const made = await a.json("POST", "/api/links", { folderId, kind: "drop" });
  const { url } = JSON.parse(made.text).data.link;
  const path = new URL(url, server.url).pathname;
  const form = (...fields: Parameters<typeof multipart>[0]) =>
    multipart([...fields, filePart("a.txt", "x")]);
  const post = (
    query: string,
    headers: HeaderPairs,
    { contentType, bytes }: ReturnType<typeof form>,
  ) => send(server, "POST", path + query, { "Content-Type": contentType, ...headers }, bytes);
  expectFault(await post("?dryRun=true", {}, form()), 400);
  expectFault(await post("", { "X-Dry-Run": "true" }, form()), 400);
  expectFault(await post("", {}, form(field("dryRun", "true"))), 400);
  expect((await a.browse(folder)).files).toEqual([]);
});

test("the whole trash is reported at once, with what is freed and the links that end", async () => {
  const folder = unique("all");
  const files = await Promise.all(
    ["a", "bb", "ccc"].map((name) => a.put(`${folder}/${name}`, name)),
  );
  await a.json("POST", "/api/links", { fileId: files[0]?.id });
  const ids = files.map(({ id }) => id);
  const [deletion, ...more] = await dryRun({ url: server.url, apiKey: server.apiKey }, (holdall) =>
    holdall.files.delete(ids, { trash: true }),
  );
  expect(more).toEqual([]);
  expect(deletion).toMatchObject({ total: 3, files: 3, bytes: 6, freedBytes: 0 });
  expect(deletion?.links.map(({ key }) => key)).toEqual([`${folder}/a`]);
  const { bytes } = (await t.list()).totals;
  for (const id of ids) await t.trash({ id });
  const answer = await t.json("DELETE", "/api/trash", { all: true, dryRun: true });
  expect(JSON.parse(answer.text).data.dryRun.freedBytes).toBe(bytes + 6);
  expect((await t.list()).totals.items).toBeGreaterThanOrEqual(3);
});

test("what the change would not find is not found", async () => {
  const id = "01940000-0000-7000-8000-000000000000";
  const calls: [string, string, object][] = [
    ["DELETE", "/api/files", { key: "none/x" }],
    ["DELETE", "/api/files", { ids: [id], trash: true }],
    ["PUT", "/api/files", { ids: [id], visibility: "private" }],
    ["DELETE", "/api/files/versions", { ids: [id] }],
    ["POST", "/api/trash/restore", { undoId: id }],
    ["DELETE", "/api/trash", { ids: [id] }],
  ];
  for (const [method, path, body] of calls) {
    for (const dryRun of [true, false]) {
      const { status, text } = await a.json(method, path, { ...body, dryRun });
      expect([method, path, status, text]).toEqual([method, path, 404, text]);
    }
  }
});

test("a key needs the same actions as for the change", async () => {
  const file = await a.put(`${unique("rights")}/a.txt`, "x");
  const made = await a.json("POST", "/api/keys", { name: "reader", actions: ["list", "read"] });
  const { secret } = JSON.parse(made.text).data;
  const headers = { "API-Key": secret, "Content-Type": "application/json" };
  const body = JSON.stringify({ id: file.id, dryRun: true });
  expectFault(await send(server, "DELETE", "/api/files", headers, body), 403);
});
