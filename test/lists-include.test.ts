import { afterAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { z } from "zod";
import { api, send, unique } from "./client.ts";
import { expectData } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { fileShape, filesData } from "./shapes.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);

const included = z.object({
  files: z.array(
    fileShape.extend({
      sha256: z.string().nullable().optional(),
      metadata: z.record(z.string(), z.string()).optional(),
      etag: z.string().optional(),
      lastingUrl: z.string().optional(),
    }),
  ),
});

async function folderWithTwo() {
  const folder = unique("include");
  const open = await a.put(`${folder}/a-${folder}.txt`, "open");
  await a.put(`${folder}/b-${folder}.txt`, "secret", { visibility: "private" });
  await a.json("PUT", "/api/files", { id: open.id, metadata: { "x-author": "Ada" } });
  return { folder, open };
}

const ALL = "include=digest,metadata,etag,lastingUrl";

describe("include adds to each file what is named", () => {
  test.each<[string, (folder: string) => string]>([
    ["of a folder", (folder) => `/api/folders?key=${folder}&orderBy=name&orderDirection=ASC`],
    ["of a page", (folder) => `/api/folders?key=${folder}&orderBy=name&orderDirection=ASC&cursor=`],
    ["of a search", (folder) => `/api/search?q=${folder}.txt`],
  ])("%s", async (_, pathOf) => {
    const { folder } = await folderWithTwo();
    const { files } = expectData(await a.get(`${pathOf(folder)}&${ALL}`), included);
    const [open, secret] = files;
    expect(open?.sha256).toBe(createHash("sha256").update("open").digest("hex"));
    expect(open?.metadata).toEqual({ "x-author": "Ada" });
    expect(secret?.metadata).toEqual({});
    const answer = await send(server, "GET", `/${open?.url}`);
    expect(open?.etag).toBe(answer.header("etag") ?? "");
    expect((await send(server, "GET", `/${open?.lastingUrl}`)).status).toBe(200);
    // Of a private file, which hosting gives no validator, but which conditions work on.
    const replaced = await a.json("PUT", `/api/files/content?key=${secret?.key}`, "x", {
      "If-Match": secret?.etag ?? "",
    });
    expect(replaced.status).toBe(200);
    expect(secret).not.toHaveProperty("lastingUrl");
  });

  test("of all files, of those with a name or digest, and of one", async () => {
    const { open } = await folderWithTwo();
    const sha256 = createHash("sha256").update("open").digest("hex");
    for (const query of ["", `name=${open.name}&`, `sha256=${sha256}&`]) {
      const { files } = expectData(await a.get(`/api/files?${query}include=etag`), included);
      for (const file of files) expect(Object.keys(file)).toHaveLength(11);
      expect(files[0]?.etag).toMatch(/^"[0-9a-f]+-[0-9a-f]+"$/);
    }
    const one = await a.get(`/api/files?id=${open.id}&include=digest&include=etag`);
    expect(JSON.parse(one.text).data.file).toMatchObject({ sha256, etag: expect.any(String) });
  });

  test("and nothing without it", async () => {
    const { open, folder } = await folderWithTwo();
    for (const query of ["", "?include=", `?name=${open.name}`]) {
      expectData(await a.get(`/api/files${query}`), filesData);
    }
    await a.browse(folder);
  });
});

test("an unknown name is refused, with the known ones", async () => {
  for (const path of ["/api/files?", "/api/folders?", "/api/search?q=a&", "/api/files?id=x&"]) {
    for (const include of ["digests", "digest,size", "Digest", "etag&include=all"]) {
      const { status, text } = await a.get(`${path}include=${include}`);
      expect([path, include, status]).toEqual([path, include, 400]);
      const { error } = JSON.parse(text);
      expect(error.code).toBe("unknown_field");
      expect(error.details.known).toEqual([
        ...["digest", "metadata", "etag", "lastingUrl", "lifetime"],
      ]);
      expect(error.message).toContain("`lastingUrl`");
    }
  }
});

test("the digest operation gives the strong ETag, also of a private file", async () => {
  const { id } = await a.put(unique("etag"), "x", { visibility: "private" });
  const { text } = await a.get(`/api/files/digest?id=${id}`);
  expect(JSON.parse(text).data.etag).toMatch(/^"1-[0-9a-f]+"$/);
});
