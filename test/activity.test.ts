import { afterAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { api, send, unique } from "./client.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { run, startServer } from "./harness.ts";
import { field, filePart } from "./multipart.ts";
import { administrator, cookieOf, fromPage, trySignIn } from "./session.ts";
import { newKeyData, s3CredentialsData } from "./shapes.ts";

const server = await startServer(administrator);
afterAll(() => server.discard());
const a = api(server);

const text = z.string().nullable();
const entryShape = z.strictObject({
  id: z.string().min(1),
  at: z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
  action: z.string().min(1),
  outcome: z.enum(["done", "failed"]),
  status: z.int(),
  actor: z.strictObject({
    kind: z.enum(["key", "account", "none", "command"]),
    id: text,
    name: text,
  }),
  address: text,
  subject: z.strictObject({ kind: z.string(), id: text, key: text, name: text }).nullable(),
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});
const shape = z.strictObject({ activity: z.array(entryShape), nextCursor: text });
type Entry = z.infer<typeof entryShape>;

const page = async (query = "") => expectData(await a.get(`/api/activity${query}`), shape);

/** Waits for an entry of this action that matches. */
async function findEntry(action: string, matches: (entry: Entry) => boolean): Promise<Entry> {
  let found: Entry | undefined;
  await eventually(`${action} is recorded`, async () => {
    found = (await page(`?action=${action}&limit=200`)).activity.find(matches);
    return found !== undefined;
  });
  if (found === undefined) throw new Error("The entry has disappeared");
  return found;
}

const about = (key: string) => (entry: Entry) => entry.subject?.key === key;

describe("the activity records", () => {
  test("where files and folders were moved to", async () => {
    const [from, to] = [unique("from"), await a.folder(unique("to"))];
    const one = await a.put(`${from}/one.txt`);
    await a.json("PUT", "/api/files", { id: one.id, folderId: to.id });
    const moved = await findEntry("changeFile", about(one.key));
    expect(moved.detail).toEqual({ folderId: to.id, destination: to.key });
    const folder = await a.folder(`${from}/inner`);
    await a.json("PUT", "/api/folders", { id: folder.id, parentId: to.id });
    const movedFolder = await findEntry("changeFolder", about(folder.key));
    expect(movedFolder.detail).toEqual({ parentId: to.id, destination: to.key });
    // A key that is limited to a folder must not learn the keys of others.
    const two = await a.put(`${from}/one.txt`);
    expectFault(await a.json("PUT", "/api/files", { id: two.id, folderId: to.id }), 409);
    const failed = await findEntry("changeFile", ({ outcome }) => outcome === "failed");
    expect(failed.detail).not.toHaveProperty("destination");
  });

  test("nothing of an upload that the client cancels", async () => {
    const name = unique("cancelled");
    const leave = new AbortController();
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(
          new TextEncoder().encode(
            `--x\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\n\r\nstart`,
          ),
        );
        // Most often, the server has begun with the upload by then; it must not matter.
        await Bun.sleep(300);
        leave.abort();
      },
    });
    const headers = {
      "API-Key": server.apiKey,
      "Content-Type": "multipart/form-data; boundary=x",
    };
    const request = fetch(`${server.url}/api/files`, {
      method: "POST",
      headers,
      body,
      signal: leave.signal,
    });
    await request.catch(() => undefined);
    const later = await a.put(unique("later"));
    await findEntry("uploadFiles", about(later.key));
    const { activity } = await page("?action=uploadFiles&outcome=failed&limit=200");
    expect(activity.filter(({ detail }) => /connection/i.test(String(detail.message)))).toEqual([]);
  });

  test("an upload of one file, with actor, address and size", async () => {
    const file = await a.put(`${unique("act")}/one.txt`, "12345");
    const entry = await findEntry("uploadFiles", about(file.key));
    expect(entry).toMatchObject({
      outcome: "done",
      status: 200,
      actor: { kind: "key", name: "initial" },
      address: "127.0.0.1",
      subject: { kind: "file", id: file.id, key: file.key, name: null },
      detail: { files: 1, bytes: 5 },
    });
    expect(Math.abs(Date.parse(`${entry.at}Z`) - Date.now())).toBeLessThan(60_000);
  });

  test("an upload of several files as one entry", async () => {
    const folder = unique("act");
    await a.upload([field("folder", folder), filePart("a", "1"), filePart("b", "22")]);
    const entry = await findEntry("uploadFiles", about(folder));
    expect(entry.subject?.kind).toBe("folder");
    expect(entry.detail).toEqual({ files: 2, bytes: 3 });
  });

  test("a change of several files as one entry, with their number", async () => {
    const folder = unique("act");
    const [first, second] = [await a.put(`${folder}/one.txt`), await a.put(`${folder}/two.txt`)];
    const ids = [first, second, first].map(({ id }) => id);
    await a.json("PUT", "/api/files", { ids, visibility: "private" });
    const entry = await findEntry("changeFile", about(first.key));
    expect(entry.detail).toEqual({ files: 2, visibility: "private" });
  });

  test("a move of several files as one entry, with their number and where they were", async () => {
    const [from, other, to] = [unique("from"), unique("other"), await a.folder(unique("to"))];
    const files = await Promise.all(["one", "two"].map((name) => a.put(`${from}/${name}.txt`)));
    const ids = files.map(({ id }) => id);
    const taken = await a.put(`${other}/one.txt`);
    await a.json("PUT", "/api/files", { ids: [...ids, "nobody"], folderId: to.id });
    const { id: folderId, key: destination } = to;
    const moved = await findEntry("changeFile", about(`${from}/one.txt`));
    expect(moved.detail).toEqual({ files: 2, failed: 1, folderId, destination, origin: from });

    await a.json("PUT", "/api/files", { ids: [taken.id], folderId });
    const refused = await findEntry("changeFile", about(taken.key));
    expect(refused).toMatchObject({ outcome: "failed", status: 200 });
    expect(refused.detail).toEqual({
      files: 1,
      folderId,
      destination,
      message: 'A file named "one.txt" already exists in this folder.',
    });

    const elsewhere = await a.folder(unique("elsewhere"));
    const ofTwo = [taken.id, ...ids.slice(1)];
    await a.json("PUT", "/api/files", { ids: ofTwo, folderId: elsewhere.id });
    const gathered = await findEntry(
      "changeFile",
      ({ detail }) => detail.folderId === elsewhere.id,
    );
    expect(gathered.detail).not.toHaveProperty("origin");
  });

  test("of a change of several files only those that it changed", async () => {
    const [from, to] = [unique("from"), await a.folder(unique("to"))];
    const [one, two] = [await a.put(`${from}/one.txt`), await a.put(`${from}/two.txt`)];
    await a.put(`${to.key}/one.txt`);
    const move = (onConflict: string, ...ids: string[]) =>
      a.json("PUT", "/api/files", { ids, folderId: to.id, onConflict });
    await move("refuse", one.id, two.id);
    const moved = await findEntry("changeFile", about(two.key));
    expect(moved.subject?.id).toBe(two.id);
    expect(moved.detail).toMatchObject({ files: 1, failed: 1, origin: from });

    const three = await a.put(`${from}/three.txt`);
    await move("skip", "nobody", one.id, two.id, three.id);
    const next = await findEntry("changeFile", about(three.key));
    expect(next.detail).toMatchObject({ files: 1, failed: 1, origin: from });

    // One is skipped and the others are there already.
    await move("skip", one.id, two.id, three.id);
    await a.json("PUT", "/api/files", { ids: [one.id], visibility: "private" });
    await findEntry("changeFile", ({ subject }) => subject?.id === one.id);
    const { activity } = await page("?action=changeFile&limit=200");
    expect(activity.filter(({ detail }) => detail.folderId === to.id)).toHaveLength(2);
  });

  test("of a deletion of several files only those that it deleted", async () => {
    const folder = unique("act");
    const inside = await a.put(`${folder}/one.txt`);
    await a.json("DELETE", "/api/files", { ids: ["nobody", inside.id] });
    const deleted = await findEntry("deleteFiles", about(inside.key));
    expect(deleted.subject?.id).toBe(inside.id);
    expect(deleted.detail).toMatchObject({ files: 1, failed: 1 });
  });

  test("changes, with the previous key and the requested values", async () => {
    const file = await a.put(`${unique("act")}/old.txt`);
    await a.json("PUT", "/api/files", { id: file.id, name: "new.txt", visibility: "private" });
    const renamed = await findEntry("changeFile", about(file.key));
    expect(renamed.detail).toEqual({ name: "new.txt", visibility: "private" });
    await a.json("POST", "/api/files/sign", { id: file.id });
    const signed = await findEntry("signFile", ({ subject }) => subject?.id === file.id);
    expect(signed.detail).toEqual({ expiresAt: expect.stringMatching(/Z$/) });
    await a.json("DELETE", "/api/files", { id: file.id });
    const deleted = await findEntry("deleteFiles", ({ subject }) => subject?.id === file.id);
    expect(deleted).toMatchObject({ detail: { files: 1 } });
    expect(deleted.subject?.key).toEndWith("/new.txt");
  });

  test("changes of folders", async () => {
    const folder = await a.folder(unique("act"));
    expect((await findEntry("createFolder", about(folder.key))).subject?.id).toBe(folder.id);
    await a.json("PUT", "/api/folders", { id: folder.id, visibility: "private" });
    const changed = await findEntry("changeFolder", about(folder.key));
    expect(changed.detail).toEqual({ visibility: "private" });
    await a.json("DELETE", "/api/folders", { id: folder.id });
    await findEntry("deleteFolder", about(folder.key));
  });

  test("changes of keys, without the secret", async () => {
    const name = unique("key");
    const made = expectData(await a.json("POST", "/api/keys", { name }), newKeyData);
    const shown = await a.json("POST", "/api/keys/s3", { id: made.key.id });
    const s3 = expectData(shown, s3CredentialsData);
    await a.json("PUT", "/api/keys", { id: made.key.id, name: `${name} renamed` });
    await a.json("DELETE", "/api/keys", { id: made.key.id });
    for (const action of ["createKey", "revealS3Credentials", "renameKey", "revokeKey"]) {
      const entry = await findEntry(action, ({ subject }) => subject?.id === made.key.id);
      expect(entry.subject?.name).toStartWith(name);
    }
    const log = JSON.stringify(await page("?limit=200"));
    for (const secret of [made.secret, s3.secretAccessKey]) expect(log).not.toContain(secret);
  });

  test("successful and failed sign-ins, without passwords", async () => {
    const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = administrator;
    await trySignIn(server, email, "a wrong horse");
    const failed = await findEntry("signIn", ({ outcome }) => outcome === "failed");
    expect(failed).toMatchObject({
      status: 401,
      actor: { kind: "none", id: null },
      subject: { kind: "account", name: email },
    });
    // A password in the address field.
    await trySignIn(server, "hunter@2", "x");
    await findEntry("signIn", (entry) => entry.subject?.name === null);
    let cookie = "";
    // Failed attempts delay the next one.
    await eventually("the sign-in", async () => {
      const answer = await trySignIn(server, email, password);
      if (answer.status === 200) cookie = cookieOf(answer);
      return answer.status === 200;
    });
    const entry = await findEntry("signIn", ({ outcome }) => outcome === "done");
    expect(entry.actor).toMatchObject({ kind: "account", name: email });
    await fromPage(server, "PUT", "/auth/password", cookie, {
      currentPassword: password,
      newPassword: "another horse battery",
    });
    await findEntry("changePassword", ({ actor }) => actor.name === email);
    const everything = JSON.stringify(await page("?limit=200"));
    for (const secret of [password, "a wrong horse", "another horse", "hunter@2"]) {
      expect(everything).not.toContain(secret);
    }
  });

  test("refused operations, with the reason", async () => {
    const file = await a.put(unique("taken"));
    await a.upload([filePart(file.name, "again")]);
    const refused = await findEntry("uploadFiles", ({ outcome }) => outcome === "failed");
    expect(refused).toMatchObject({ status: 409, actor: { kind: "key" } });
    expect(refused.detail).toMatchObject({ code: "name_taken" });
    expect(refused.detail.message).toContain(file.name);
    await a.json("PUT", "/api/settings", {
      minFreeSpace: 5,
      maxPresignSeconds: 1,
      defaultPresignSeconds: 9,
    });
    const settings = await findEntry("changeSettings", ({ outcome }) => outcome === "failed");
    expect(settings).toMatchObject({ status: 400, detail: { minFreeSpace: 5 } });
  });

  test("changes by commands", async () => {
    const name = unique("by-command");
    expect((await run(["keys", "create", name], server.env)).code).toBe(0);
    const entry = await findEntry("createKey", ({ subject }) => subject?.name === name);
    expect(entry).toMatchObject({ actor: { kind: "command" }, address: null });
  });

  test("no reads", async () => {
    await a.list();
    await a.get("/api/folders/download");
    await a.folder(unique("last"));
    await findEntry("createFolder", () => true);
    const seen = new Set((await page("?limit=200")).activity.map(({ action }) => action));
    expect([...seen].filter((action) => /list|browse|download|host/i.test(action))).toEqual([]);
  });
});

describe("the list", () => {
  test("pages through all entries once, newest first", async () => {
    let last = "";
    for (let index = 0; index < 7; index += 1) last = (await a.folder(unique("page"))).key;
    await findEntry("createFolder", about(last));
    const whole = (await page("?limit=200")).activity.map(({ id }) => id);
    expect(whole.toSorted().toReversed()).toEqual(whole);
    const paged: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const next: z.infer<typeof shape> = await page(`?limit=3&cursor=${cursor}`);
      expect(next.activity.length).toBeLessThanOrEqual(3);
      paged.push(...next.activity.map(({ id }) => id));
      cursor = next.nextCursor;
    }
    expect(paged).toEqual(whole);
  });

  test("can be filtered", async () => {
    const failed = await page("?outcome=failed");
    expect(failed.activity.length).toBeGreaterThan(0);
    expect(failed.activity.every(({ outcome }) => outcome === "failed")).toBe(true);
    const [newest] = (await page("?limit=1")).activity;
    const actor = newest?.actor.id ?? "";
    const mine = await page(`?actor=${actor}&limit=200`);
    expect(mine.activity.every((entry) => entry.actor.id === actor)).toBe(true);
    expect((await page("?actor=nobody")).activity).toEqual([]);
    const at = encodeURIComponent(newest?.at ?? "");
    const since = (await page(`?since=${at}`)).activity;
    expect(since.map(({ id }) => id)).toContain(newest?.id ?? "");
    const until = (await page(`?until=${at}&limit=200`)).activity;
    expect(until.map(({ id }) => id)).not.toContain(newest?.id ?? "");
    expect((await page("?since=2999-01-01")).activity).toEqual([]);
    expect((await page("?since=2026-01-01T00:00:00.5Z&limit=1")).activity.length).toBe(1);
    expect(
      (await page(`?since=${encodeURIComponent("2026-01-01T00:00+02:00")}&limit=1`)).activity
        .length,
    ).toBe(1);
  });

  test("needs authentication", async () => {
    expectFault(await send(server, "GET", "/api/activity"), 401);
  });

  test.each([
    "limit=0",
    "limit=201",
    "limit=x",
    "cursor=!",
    "action=listFiles",
    "outcome=maybe",
    "since=yesterday",
    "until=2026-13-01",
    "since=2026-01-31T25:00Z",
    "since=2026-02-31",
    "until=2026-02-29T10:00:00+02:00",
  ])("refuses %s", async (query) => {
    expectFault(await a.get(`/api/activity?${query}`), 400, new RegExp(query.split("=")[0] ?? ""));
  });
});

describe("as a table, the activity", () => {
  const table = async (accept: string, query = "") =>
    await a.get(`/api/activity${query}`, { Accept: accept });

  test("has every entry, as lines of JSON", async () => {
    const name = unique("=cmd|'calc'!A1");
    await a.put(`${name}/one.txt`);
    await findEntry("uploadFiles", about(`${name}/one.txt`));
    // More than are read at a time.
    const answers = Array.from({ length: 600 }, (_, at) =>
      a.json("DELETE", "/api/files", { key: `none-${at}` }),
    );
    await Promise.all(answers);
    await findEntry("deleteFiles", about("none-599"));
    const all: Entry[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const next = await page(`?limit=200&until=2100-01-01&cursor=${cursor}`);
      all.push(...next.activity);
      cursor = next.nextCursor;
    }
    const lines = await table("application/x-ndjson");
    expect(lines.all("content-type")).toEqual(["application/x-ndjson"]);
    expect(lines.all("content-disposition")).toEqual(['attachment; filename="activity.ndjson"']);
    const entries = lines.text
      .trimEnd()
      .split("\n")
      .map((line) => entryShape.parse(JSON.parse(line)));
    expect(entries.slice(-all.length)).toEqual(all);
  });

  test("has rows of CSV without formulas", async () => {
    const name = unique('=1+1,"quoted"');
    await a.put(`${name}/one.txt`);
    const { id } = await findEntry("uploadFiles", about(`${name}/one.txt`));
    const { text: csv } = await table("text/csv;q=0.9, */*;q=0.1", "?action=uploadFiles");
    const [head, ...rows] = csv.split("\r\n");
    expect(head).toStartWith("id,at,action,outcome,status,actorKind,");
    expect(rows.at(-1)).toBe("");
    const row = rows.find((each) => each.startsWith(id));
    expect(row).toContain(`,"'${name.replaceAll('"', '""')}/one.txt",`);
    expect(rows.every((each) => each === "" || each.includes(",uploadFiles,"))).toBe(true);
  });

  test("is asked for by `format`, too, as a link does", async () => {
    const { text, all } = await table("text/html", "?format=csv&action=uploadFiles");
    expect(text).toStartWith("id,at,action,");
    expect(all("content-disposition")).toEqual(['attachment; filename="activity.csv"']);
    expectFault(await table("text/html", "?format=xml"), 400, /format/);
  });

  test("has no pages", async () => {
    expectFault(await table("text/csv", "?limit=5"), 400, /limit/);
    expectFault(await table("text/csv", "?cursor=x"), 400, /cursor/);
    expectFault(await table("text/csv", "?outcome=maybe"), 400, /outcome/);
  });
});

test("survives a restart; with ACTIVITY_RETENTION_DAYS=0 nothing is recorded", async () => {
  const count = (await page("?limit=200")).activity.length;
  await server.restart();
  expect((await page("?limit=200")).activity.length).toBeGreaterThanOrEqual(count);
  await server.restart({ ACTIVITY_RETENTION_DAYS: "0" });
  await a.put(unique("unseen"));
  // Longer than an event waits in the buffer.
  await Bun.sleep(1500);
  expect(await page()).toEqual({ activity: [], nextCursor: null });
  expectFault(await a.json("PUT", "/api/settings", { activityRetentionDays: 1 }), 409);
});
