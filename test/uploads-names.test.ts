import { afterAll, describe, expect, test } from "bun:test";
import { api, send, unique } from "./client.ts";
import { expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import {
  append,
  createAsTus,
  createUpload,
  locationOf,
  metadataOf,
  offsetOf,
} from "./upload-url.ts";

const server = await startServer({ MAX_UPLOAD_SIZE: "50mb" });
afterAll(() => server.discard());
const a = api(server);

const hosted = (key: string) => send(server, "GET", `/api/hosting/${key}`);

describe("names", () => {
  test("are normalized to NFC, and never reach a header as they are", async () => {
    const folder = unique("nfc");
    const name = "Cafe\u0301 \r\nX-Evil: 1".replaceAll(/[\r\n]/g, "");
    const created = await createAsTus(server, {
      "Upload-Length": "1",
      ...metadataOf({ filename: name, folder }),
    });
    const done = await append(server, locationOf(created), 0, "x");
    const file = await a.file(done.header("holdall-file") ?? "");
    expect(file.name).toBe(name.normalize("NFC"));
    expect(done.header("content-location")).toBe(`/${file.url}`);
    const evil = metadataOf({ filename: "a\r\nSet-Cookie: x=1", folder });
    expectFault(await createAsTus(server, { "Upload-Length": "1", ...evil }), 400, /control/);
  });

  test("must be well-formed also beside a JSON body, as HEAD returns them", async () => {
    for (const bad of ["a !!!", `a ${"A".repeat(9000)}`]) {
      const answer = await send(
        ...([server, "POST", "/api/uploads"] as const),
        { "API-Key": server.apiKey, "Content-Type": "application/json", "Upload-Metadata": bad },
        JSON.stringify({ name: "a.txt", folder: unique("json") }),
      );
      expectFault(answer, 400, /Upload-Metadata/);
    }
  });

  test("may come with the first bytes", async () => {
    const path = await createUpload(server, { name: undefined, size: 4 });
    expectFault(await append(server, path, 0, "12"), 400, /no name/);
    const named = metadataOf({ filename: "late.txt", filetype: "text/plain" });
    expect((await append(server, path, 0, "12", named)).status).toBe(204);
    const done = await append(server, path, 2, "34");
    expect((await a.file(done.header("holdall-file") ?? "")).name).toBe("late.txt");
  });

  test("that are taken are refused at the creation and at the end, with 422", async () => {
    const folder = unique("taken");
    const other = await createUpload(server, { folder, name: "a.txt", size: 3 });
    const path = await createUpload(server, { folder, name: "a.txt", size: 3 });
    await append(server, path, 0, "12");
    await append(server, other, 0, "abc");
    const created = await a.json("POST", "/api/uploads", { folder, name: "a.txt" });
    expectFault(created, 422, /"a\.txt" already exists/);
    expectFault(await append(server, path, 2, "3"), 422, /already exists/);
    // The last offset and the file are one transaction.
    expect(await offsetOf(server, path)).toBe(2);
    const [{ id = "" } = {}] = await a.list("?name=a.txt");
    await a.json("DELETE", "/api/files", { id });
    expect((await append(server, path, 2, "3")).header("upload-complete")).toBe("?1");
    expect((await hosted(`${folder}/a.txt`)).text).toBe("123");
  });

  test.each(["refuse", "replace", "keepBoth", "skip"])(
    "below a file are refused at the creation if onConflict is %s",
    async (onConflict) => {
      const folder = unique("file");
      await a.put(`${folder}/a.txt`, "old");
      for (const inside of ["a.txt", "a.txt/sub/deep"]) {
        const body = { folder: `${folder}/${inside}`, onConflict };
        const named = await a.json("POST", "/api/uploads", { ...body, name: "b.txt" });
        expectFault(named, 422, /"a\.txt" already exists/);
        expectFault(await a.json("POST", "/api/uploads", body), 422);
      }
    },
  );

  test("of folders are refused at the creation, as folders are never replaced", async () => {
    const folder = unique("folder");
    await a.folder(`${folder}/sub`);
    const body = { folder, name: "sub" };
    for (const onConflict of ["refuse", "replace"]) {
      const created = await a.json("POST", "/api/uploads", { ...body, onConflict });
      expectFault(created, 422, /"sub" already exists/);
    }
    const both = await a.json("POST", "/api/uploads", { ...body, onConflict: "keepBoth" });
    expect(both.status).toBe(201);
  });

  test("that are taken and come with the bytes are refused before the first of them", async () => {
    const folder = unique("late");
    await a.put(`${folder}/a.txt`, "old");
    const path = locationOf(await a.json("POST", "/api/uploads", { folder, size: 4 }));
    expectFault(await append(server, path, 0, "12", metadataOf({ filename: "a.txt" })), 422);
    expect(await offsetOf(server, path)).toBe(0);
    const other = metadataOf({ filename: "b.txt" });
    expect((await append(server, path, 0, "12", other)).header("upload-offset")).toBe("2");
    expect((await append(server, path, 2, "34")).header("upload-complete")).toBe("?1");
  });

  test("that are taken are replaced, kept or skipped if onConflict says so", async () => {
    const folder = unique("conflict");
    const old = await a.put(`${folder}/a.txt`, "old");
    const replace = await createUpload(server, { folder, name: "a.txt", onConflict: "replace" });
    const done = await append(server, replace, 0, "new", { "Upload-Length": "3" });
    expect(done.header("holdall-file")).toBe(old.id);
    expect((await hosted(`${folder}/a.txt`)).text).toBe("new");
    const both = await createUpload(server, { folder, name: "a.txt", onConflict: "keepBoth" });
    const kept = await append(server, both, 0, "two", { "Upload-Length": "3" });
    expect(kept.header("content-location")).toEndWith(
      "a%20(2).txt".replace("(", "%28").replace(")", "%29"),
    );
    const skip = await createUpload(server, { folder, name: "a.txt", onConflict: "skip" });
    const skipped = await append(server, skip, 0, "no!", { "Upload-Length": "3" });
    expect([skipped.status, skipped.header("upload-complete")]).toEqual([204, "?1"]);
    expect(skipped.header("holdall-file")).toBeNull();
    expect((await hosted(`${folder}/a.txt`)).text).toBe("new");
  });
});
