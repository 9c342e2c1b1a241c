import { afterAll, describe, expect, test } from "bun:test";
import { api, send, unique } from "./client.ts";
import { eventually, expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { field, filePart, multipartType, partHead } from "./multipart.ts";
import { head, openRaw } from "./raw.ts";
import { filesData } from "./shapes.ts";
import { blobsOf, expectUnchanged } from "./snapshot.ts";
import { isOnS3 } from "./test-stores.ts";

const limit = 100_000;
const small = await startServer({ MAX_UPLOAD_SIZE: String(limit), MAX_FILES_PER_REQUEST: "3" });
const usual = await startServer();
const full = await startServer({ MIN_FREE_SPACE: "500000gb" });
const text = await startServer({ MAX_UPLOAD_SIZE: "1mb" });
afterAll(async () => {
  for (const server of [small, usual, full, text]) await server.discard();
});

describe("MAX_UPLOAD_SIZE", () => {
  test("accepts files of exactly the limit, each by itself", async () => {
    const content = "x".repeat(limit);
    const files = expectData(
      await api(small).upload([filePart("one", content), filePart("two", content)]),
      filesData,
    ).files;
    expect(files.map((file) => file.size)).toEqual([limit, limit]);
  });

  test("rejects one byte more with 413 and stores nothing", async () => {
    const parts = [
      field("folder", unique("big")),
      filePart("small", "x"),
      filePart("big", "x".repeat(limit + 1)),
    ];
    const answer = await expectUnchanged(small, () => api(small).upload(parts));
    expectFault(answer, 413, /100,?000|100 ?kb|97\.7|MAX_UPLOAD_SIZE/i);
  });

  test("rejects a huge file before its end is sent", async () => {
    await expectUnchanged(small, async () => {
      const connection = await openRaw(small.port);
      connection.send(
        head("POST", "/api/files", [
          ["API-Key", small.apiKey],
          ["Content-Type", multipartType],
          ["Content-Length", String(1 << 30)],
        ]),
      );
      connection.send(partHead(filePart("huge", "")));
      connection.send("x".repeat(limit + 70_000));
      expectFault(await connection.answer(), 413);
      connection.destroy();
    });
  });

  test("accepts a size with a unit", async () => {
    const accepted = await api(text).put("accepted", "x".repeat(1_000_000));
    expect(accepted.size).toBe(1_000_000);
    const refused = await expectUnchanged(text, () =>
      api(text).upload([filePart("refused", "x".repeat((1 << 20) + 1))]),
    );
    expectFault(refused, 413);
  });
});

describe("MAX_FILES_PER_REQUEST", () => {
  const files = (count: number) =>
    Array.from({ length: count }, (_, at) => filePart(`file-${at}`, "x"));

  test("accepts exactly that many files; rejects one more with 413 and stores nothing", async () => {
    const three = [field("folder", unique("three")), ...files(3)];
    expect(expectData(await api(small).upload(three), filesData).files.length).toBe(3);
    const four = [field("folder", unique("four")), ...files(4)];
    expectFault(await expectUnchanged(small, () => api(small).upload(four)), 413, /3/);
  });

  test("the default is 100", async () => {
    const hundred = [field("folder", unique("hundred")), ...files(100)];
    expect(expectData(await api(usual).upload(hundred), filesData).files.length).toBe(100);
    const more = [field("folder", unique("more")), ...files(101)];
    expectFault(await expectUnchanged(usual, () => api(usual).upload(more)), 413, /100/);
  });
});

describe("MIN_FREE_SPACE", () => {
  test.skipIf(isOnS3)(
    "an upload that would break into it is 507; everything else goes on",
    async () => {
      const answer = await expectUnchanged(full, () =>
        api(full).upload([field("folder", unique("full")), filePart("f", "x")]),
      );
      expectFault(answer, 507, /space/i);
      expect((await send(full, "GET", "/api/health")).status).toBe(200);
      expect((await api(full).folder(unique("still"))).parentId).not.toBeNull();
    },
  );
});

describe("an interrupted upload", () => {
  const request = (folder: string, length: number) => [
    head("POST", "/api/files", [
      ["API-Key", usual.apiKey],
      ["Content-Type", multipartType],
      ["Content-Length", String(length)],
    ]),
    partHead(field("folder", folder)),
    `${folder}\r\n`,
    partHead(filePart("done.txt", "")),
    "done\r\n",
    partHead(filePart("cut.bin", "")),
  ];

  test.skipIf(isOnS3)("leaves no files or folders and, seconds later, no blobs", async () => {
    const before = new Set(blobsOf(usual.dataPath));
    const fresh = () => blobsOf(usual.dataPath).filter((blob) => !before.has(blob)).length;
    await expectUnchanged(usual, async () => {
      const connection = await openRaw(usual.port);
      for (const bytes of request(unique("cut"), 10_000_000)) connection.send(bytes);
      connection.send(Buffer.alloc(3_000_000, 1));
      await eventually("the upload has started", () => fresh() > 0);
      connection.destroy();
      await eventually("its bytes are gone", () => fresh() === 0);
    });
  });

  test("is not complete when the client closes normally", async () => {
    await expectUnchanged(usual, async () => {
      const connection = await openRaw(usual.port);
      for (const bytes of request(unique("end"), 1_000_000)) connection.send(bytes);
      connection.send(Buffer.alloc(300_000, 1));
      connection.socket.end();
      // Time for the server to take it for complete.
      await Bun.sleep(300);
      connection.destroy();
    });
  });
});

describe("an early conflict", () => {
  test("is rejected with 409 before the bytes are sent", async () => {
    const file = await api(usual).put(`${unique("early")}/taken.txt`, "old");
    const folder = file.key.split("/")[0] ?? "";
    await expectUnchanged(usual, async () => {
      const connection = await openRaw(usual.port);
      connection.send(
        head("POST", "/api/files", [
          ["API-Key", usual.apiKey],
          ["Content-Type", multipartType],
          ["Content-Length", "5000000000"],
        ]),
      );
      connection.send(partHead(field("folder", folder)));
      connection.send(`${folder}\r\n`);
      connection.send(partHead(filePart("taken.txt", "")));
      connection.send("the first bytes");
      expectFault(await connection.answer(3_000), 409, /taken\.txt/);
      connection.destroy();
    });
  });

  test("without a key is rejected with 401 before the bytes are sent", async () => {
    const connection = await openRaw(usual.port);
    connection.send(
      head("POST", "/api/files", [
        ["Content-Type", multipartType],
        ["Content-Length", "5000000000"],
      ]),
    );
    connection.send(partHead(filePart("x.txt", "")));
    expectFault(await connection.answer(3_000), 401, /^Unauthorized$/);
    connection.destroy();
  });
});
