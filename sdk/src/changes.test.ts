import { afterAll, beforeAll, expect, test } from "bun:test";
import { startServer, type TestServer } from "../../test/harness.ts";
import { Holdall, HoldallError } from "./holdall.ts";

let server: TestServer;
let holdall: Holdall;

beforeAll(async () => {
  server = await startServer();
  holdall = new Holdall({ url: server.url, apiKey: server.apiKey });
});
afterAll(() => server.discard());

const upload = (name: string, folder: string) =>
  holdall.files.upload(new Blob(["x"]), { name, folder });

test("changes are listed after a cursor", async () => {
  const { cursor, changes } = await holdall.changes.list();
  expect(changes).toEqual([]);
  const file = await upload("a.txt", "listed");
  const page = await holdall.changes.list({ since: cursor, folder: "listed" });
  expect(page.changes.map(({ kind }) => kind)).toEqual(["folder.created", "file.created"]);
  expect(page.changes[1]?.file).toEqual(file);
  expect(page.more).toBe(false);
});

test("changes are followed as they happen", async () => {
  const { cursor: since } = await holdall.changes.list();
  const keys: string[] = [];
  await upload("1", "followed");
  let opened = 0;
  const onOpen = () => {
    opened += 1;
  };
  for await (const { key } of holdall.changes.follow({ since, onOpen })) {
    keys.push(key);
    if (keys.length === 2) void upload("2", "followed");
    if (keys.length === 3) break;
  }
  expect(keys).toEqual(["followed", "followed/1", "followed/2"]);
  expect(opened).toBe(1);
});

test("following continues when the server is back", async () => {
  const { cursor: since } = await holdall.changes.list();
  await upload("1", "resumed");
  const keys: string[] = [];
  for await (const { key } of holdall.changes.follow({ since })) {
    keys.push(key);
    if (keys.length === 2) {
      await server.restart({ PORT: String(server.port) });
      void upload("2", "resumed");
    }
    if (keys.length === 3) break;
  }
  expect(keys).toEqual(["resumed", "resumed/1", "resumed/2"]);
});

test("following ends by its signal, and by a cursor that is not of this feed", async () => {
  const controller = new AbortController();
  const following = holdall.changes.follow({ signal: controller.signal });
  const next = following.next();
  setTimeout(() => controller.abort(new Error("enough")), 300);
  await expect(next).rejects.toThrow("enough");

  const other = await startServer();
  const { cursor } = await new Holdall({ url: other.url, apiKey: other.apiKey }).changes.list();
  await other.discard();
  const error: unknown = await holdall.changes
    .follow({ since: cursor })
    .next()
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(HoldallError);
  expect(error).toMatchObject({ status: 410 });
});
