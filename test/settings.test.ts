import { afterAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { api, send, unique } from "./client.ts";
import { expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { field, filePart } from "./multipart.ts";
import { administrator, fromPage, signIn } from "./session.ts";
import { filesData, signedData } from "./shapes.ts";
import { isOnS3 } from "./test-stores.ts";

const server = await startServer({ MAX_DELETE_BATCH: "2", ...administrator });
afterAll(() => server.discard());
const a = api(server);

const number = z.strictObject({
  value: z.int(),
  default: z.int(),
  pinned: z.boolean(),
  variable: z.string().regex(/^[A-Z_]+$/),
  unit: z.enum(["bytes", "seconds", "days", "files", "ids", "pixels", "percent"]),
});
const boolean = z.strictObject({
  value: z.boolean(),
  default: z.boolean(),
  pinned: z.boolean(),
  variable: z.string().regex(/^[A-Z_]+$/),
  unit: z.null(),
});
const text = z.strictObject({
  value: z.string(),
  default: z.literal(""),
  pinned: z.boolean(),
  variable: z.string().regex(/^[A-Z_]+$/),
  unit: z.null(),
});
const shape = z.strictObject({
  settings: z
    .object({
      defaultVisibility: z.strictObject({
        value: z.enum(["public", "private"]),
        default: z.literal("public"),
        pinned: z.boolean(),
        variable: z.literal("DEFAULT_FILE_VISIBILITY"),
        unit: z.null(),
      }),
      maxUploadSize: number,
      maxFilesPerRequest: number,
      maxDeleteBatch: number,
      minFreeSpace: number,
      maxPresignSeconds: number,
      defaultPresignSeconds: number,
      hostingCacheSeconds: number,
      trashDeletions: boolean,
      keepVersions: boolean,
      lastingUrls: boolean,
      fetchByKeys: boolean,
      logDownloads: boolean,
      requireSecondFactor: boolean,
      instanceName: text,
      accentColor: text,
    })
    .catchall(number),
});

const read = async () => expectData(await a.get("/api/settings"), shape).settings;
const put = (body: unknown) => a.json("PUT", "/api/settings", body);
const change = async (body: unknown) => expectData(await put(body), shape).settings;

describe("settings", () => {
  test("show value, default and whether the environment pins them", async () => {
    const settings = await read();
    expect(settings.maxUploadSize).toEqual({
      value: 5 * 1024 ** 3,
      default: 5 * 1024 ** 3,
      pinned: false,
      variable: "MAX_UPLOAD_SIZE",
      unit: "bytes",
    });
    expect(settings.maxDeleteBatch).toEqual({
      value: 2,
      default: 500,
      pinned: true,
      variable: "MAX_DELETE_BATCH",
      unit: "ids",
    });
  });

  test("need an API key or a session", async () => {
    expectFault(await send(server, "GET", "/api/settings"), 401);
    expectFault(await send(server, "PUT", "/api/settings", {}, "{}"), 401);
    const cookie = await signIn(server);
    expectData(await fromPage(server, "GET", "/api/settings", cookie), shape);
    const changed = await fromPage(server, "PUT", "/api/settings", cookie, {
      hostingCacheSeconds: 5,
    });
    expect(expectData(changed, shape).settings.hostingCacheSeconds.value).toBe(5);
    await change({ hostingCacheSeconds: null });
  });

  test("take effect at once", async () => {
    const file = await a.put(unique("before"));
    await change({
      maxUploadSize: 10,
      maxFilesPerRequest: 2,
      defaultVisibility: "private",
      hostingCacheSeconds: 77,
      maxPresignSeconds: 50,
    });
    expectFault(await a.upload([filePart(unique("big"), "x".repeat(11))]), 413, /10 bytes/);
    const small = await a.upload([filePart(unique("small"), "x".repeat(10))]);
    expect(expectData(small, filesData).files[0]?.visibility).toBe("private");
    const three = ["a", "b", "c"].map((name) => filePart(unique(name), "1"));
    expectFault(await a.upload([field("folder", unique("many")), ...three]), 413, /2/);
    const hosted = await send(server, "GET", `/${file.url}`);
    expect(hosted.header("cache-control")).toBe("public, max-age=77, must-revalidate");
    const signed = await a.json("POST", "/api/files/sign", { id: file.id, expiresIn: 9999 });
    const left = Date.parse(expectData(signed, signedData).expiresAt) - Date.now();
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(50_000);

    const [named, ...more] = [1, 2, 3, 4].map(() => unique("again"));
    await change({ maxUploadSize: null, maxFilesPerRequest: 10_000, defaultVisibility: null });
    const all = [named, ...more].map((name) => filePart(name ?? "", "x".repeat(11)));
    expect(expectData(await a.upload(all), filesData).files).toHaveLength(4);
    await change({ maxFilesPerRequest: null, hostingCacheSeconds: null, maxPresignSeconds: null });
  });

  test.skipIf(isOnS3)("minFreeSpace refuses uploads with 507", async () => {
    await change({ minFreeSpace: Number.MAX_SAFE_INTEGER });
    expectFault(await a.upload([filePart(unique("full"), "x")]), 507);
    await change({ minFreeSpace: null });
    await a.put(unique("room"));
  });

  test("survive a restart; the environment takes precedence", async () => {
    await change({ maxFilesPerRequest: 3, maxUploadSize: 1000 });
    await server.restart({ MAX_UPLOAD_SIZE: "2kb" });
    const settings = await read();
    expect(settings.maxFilesPerRequest).toMatchObject({ value: 3, pinned: false });
    expect(settings.maxUploadSize).toMatchObject({ value: 2048, pinned: true });
    await server.restart({ MAX_UPLOAD_SIZE: undefined });
    expect((await read()).maxUploadSize).toMatchObject({ value: 1000, pinned: false });
    await change({ maxFilesPerRequest: null, maxUploadSize: null });
  });
});

describe("a change is rejected", () => {
  test("with 409 for a pinned setting, naming the variable", async () => {
    const before = await read();
    const answer = await put({ maxDeleteBatch: 3, maxUploadSize: 1 });
    expectFault(answer, 409, /maxDeleteBatch.*MAX_DELETE_BATCH/);
    expectFault(await put({ maxDeleteBatch: null }), 409, /MAX_DELETE_BATCH/);
    expect(await read()).toEqual(before);
  });

  test.each([
    [{ maxUploadSize: 0 }, /maxUploadSize.*bytes of at least 1/],
    [{ maxUploadSize: "5gb" }, /maxUploadSize/],
    [{ maxUploadSize: 1.5 }, /maxUploadSize/],
    [{ maxUploadSize: true }, /maxUploadSize/],
    [{ maxFilesPerRequest: 10_001 }, /maxFilesPerRequest.*from 1 to 10000/],
    [{ maxPresignSeconds: 0 }, /maxPresignSeconds/],
    [{ defaultPresignSeconds: 604_801 }, /defaultPresignSeconds.*604800/],
    [{ maxPresignSeconds: 10, defaultPresignSeconds: 11 }, /defaultPresignSeconds.*10/],
    [{ hostingCacheSeconds: -1 }, /hostingCacheSeconds/],
    [{ trashDays: 3651 }, /trashDays.*days from 0 to 3650/],
    [{ trashDeletions: "true" }, /trashDeletions.*true or false/],
    [{ keepVersions: 1 }, /keepVersions.*true or false/],
    [{ defaultVisibility: "secret" }, /defaultVisibility.*public.*private/],
    [{ defaultVisibility: 1, minFreeSpace: 5 }, /defaultVisibility/],
    [{}, /maxUploadSize.*hostingCacheSeconds/],
    [{ nothingOfOurs: 1 }, /maxUploadSize/],
    [[], /object/],
  ])("with 400: %j", async (body, message) => {
    const before = await read();
    expectFault(await put(body), 400, message);
    expect(await read()).toEqual(before);
  });
});
