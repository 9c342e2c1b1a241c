import { afterAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { api, send, unique } from "./client.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import type { HttpResponse } from "./http-response.ts";
import { administrator } from "./session.ts";

const server = await startServer(administrator);
afterAll(() => server.discard());
const a = api(server);

const manySigned = z.strictObject({
  signed: z.array(
    z.strictObject({ id: z.string(), key: z.string(), url: z.string(), expiresAt: z.string() }),
  ),
  failed: z.array(
    z.strictObject({
      id: z.string().optional(),
      key: z.string().optional(),
      code: z.string().optional(),
      message: z.string(),
    }),
  ),
});

const sign = (body: unknown) => a.json("POST", "/api/files/sign", body);
const signed = async (body: unknown) => expectData(await sign(body), manySigned);
const codeOf = ({ text }: HttpResponse): unknown => JSON.parse(text).error?.code;

const secrets = (folder: string, names: readonly string[]) =>
  Promise.all(names.map((name) => a.put(`${folder}/${name}`, name, { visibility: "private" })));

describe("many files are signed at once", () => {
  test("by their keys and by their ids, in the order given, and missing ones are named", async () => {
    const folder = unique("many");
    const files = await secrets(folder, ["b.txt", "a.txt"]);
    const keys = [files[0]?.key ?? "", `${folder}/none`, `/${folder}//a.txt`];
    const byKey = await signed({ keys, expiresIn: 60 });
    expect(byKey.signed.map(({ key }) => key)).toEqual([`${folder}/b.txt`, `${folder}/a.txt`]);
    expect(byKey.failed).toEqual([
      { key: `${folder}/none`, code: "not_found", message: "File not found." },
    ]);
    for (const { url, key, expiresAt } of byKey.signed) {
      const { text } = await send(server, "GET", `/${url}`);
      expect(key).toEndWith(text);
      expect(Date.parse(expiresAt)).toBeLessThanOrEqual(Date.now() + 61_000);
    }
    const ids = ["unknown", ...files.map(({ id }) => id)];
    const byId = await signed({ ids });
    expect(byId.signed.map(({ id }) => id)).toEqual(ids.slice(1));
    expect(byId.failed).toEqual([{ id: "unknown", message: "File not found." }]);
  });

  test("up to 1,000, in a body of more than 1 MiB", async () => {
    const [file] = await secrets(unique("many"), ["a.txt"]);
    const long = `${"x".repeat(250)}/`.repeat(8);
    const keys = [file?.key ?? "", ...Array.from({ length: 999 }, (_, n) => `${long}${n}`)];
    expect(JSON.stringify({ keys }).length).toBeGreaterThan(1024 * 1024);
    const result = await signed({ keys });
    expect(result.signed).toHaveLength(1);
    expect(result.failed).toHaveLength(999);
    expectFault(await sign({ keys: [...keys, "one more"] }), 400, /1,?000/);
  });

  test("none of which exists", async () => {
    const { signed: none, failed } = await signed({ keys: ["nope", "nope"] });
    expect(none).toEqual([]);
    expect(failed).toHaveLength(2);
  });

  test("and a body of more than 8 MiB is refused", async () => {
    const response = await sign({ keys: [], more: "x".repeat(8 * 1024 * 1024) });
    expectFault(response, 413, /8 MiB/);
  });

  test("the audit log has one entry, without a URL", async () => {
    const folder = unique("many");
    const files = await secrets(folder, ["a.txt", "b.txt"]);
    const { signed: links } = await signed({ keys: files.map(({ key }) => key) });
    await eventually("it is recorded", async () => {
      const { text } = await a.get("/api/activity?action=signFile&limit=1");
      const [entry] = JSON.parse(text).data.activity;
      const sig = new URL(links[0]?.url ?? "", "http://x/").searchParams.get("sig") ?? "-";
      expect(text).not.toContain(sig);
      return entry?.subject?.key === files[0]?.key && entry.detail.files === 2;
    });
  });
});

test("an API key needs share and read, and does not see other folders", async () => {
  const folder = unique("many");
  const [inside] = await secrets(folder, ["a.txt"]);
  const [outside] = await secrets(unique("many"), ["a.txt"]);
  const create = async (actions: readonly string[]) => {
    const body = { name: unique("key"), actions, folderId: inside?.folderId };
    const created = await a.json("POST", "/api/keys", body);
    return api({ ...server, apiKey: JSON.parse(created.text).data.secret });
  };
  const keys = [inside?.key, outside?.key];
  const sharer = await create(["list", "read", "share"]);
  const result = expectData(await sharer.json("POST", "/api/files/sign", { keys }), manySigned);
  expect(result.signed.map(({ key }) => key)).toEqual([inside?.key ?? ""]);
  expect(result.failed.map(({ key }) => key)).toEqual([outside?.key]);
  for (const actions of [
    ["list", "read"],
    ["list", "share"],
  ]) {
    const limited = await create(actions);
    expectFault(await limited.json("POST", "/api/files/sign", { keys }), 403);
  }
});

describe("refused with nothing signed", () => {
  test.each<[string, object]>([
    ["an empty key", { key: "" }],
    ["an empty key of a list", { keys: ["a", ""] }],
    ["an empty list", { keys: [] }],
    ["an empty list of ids", { ids: [] }],
    ["ids and keys", { ids: ["x"], keys: ["a"] }],
    ["a key beside a list", { key: "a", ids: ["x"] }],
    ["an invalid key", { keys: ["a/../b"] }],
    ["a lifetime of 0", { keys: ["a"], expiresIn: 0 }],
  ])("%s", async (_, body) => {
    const response = await sign(body);
    expectFault(response, 400);
    expect(codeOf(response)).toBe("invalid_request");
  });
});
