import { afterAll, describe, expect, test } from "bun:test";
import { api, send, unique } from "./client.ts";
import { expectData, expectFault } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { field, filePart, multipart, multipartType, type Part } from "./multipart.ts";
import { serverProcessorTime } from "./processor-time.fixture.ts";
import { filesData } from "./shapes.ts";
import { expectUnchanged } from "./snapshot.ts";

const server = await startServer();
afterAll(() => server.discard());
const a = api(server);

/** Uploads, and measures the processor time that the server needs for it. */
async function uploadUnchanged(parts: readonly Part[]) {
  return expectUnchanged(server, async () => {
    const from = serverProcessorTime(server);
    const answer = await a.upload(parts);
    return { answer, milliseconds: serverProcessorTime(server) - from };
  });
}

/** Returns the processor time of the server in milliseconds. */
async function expectRefused(
  parts: readonly Part[],
  status: number,
  message?: RegExp,
): Promise<number> {
  const { answer, milliseconds } = await uploadUnchanged(parts);
  expectFault(answer, status, message);
  return milliseconds;
}

describe("rejects with 409", () => {
  test("a name that exists in the folder, and stores nothing of the request", async () => {
    const file = await a.put(`${unique("taken")}/f.txt`, "old");
    const folder = field("folder", file.key.split("/")[0] ?? "");
    const parts = [filePart("new.txt", "new"), filePart("f.txt", "new"), filePart("z", "new")];
    await expectRefused([folder, ...parts], 409, /f\.txt/);
    await expectRefused([...parts, folder], 409, /f\.txt/);
    expect((await send(server, "GET", `/${file.url}`)).text).toBe("old");
  });

  test("the same name in another Unicode form", async () => {
    const file = await a.put(`${unique("taken")}/\u00e9`);
    const folder = field("folder", file.key.split("/")[0] ?? "");
    await expectRefused([folder, filePart("e\u0301", "x")], 409);
  });

  test("a name twice in one request, with the folder before or after the files", async () => {
    const folder = field("folder", unique("twice"));
    const twice = [filePart("same", "1"), filePart("other", "2"), filePart("same", "3")];
    await expectRefused([folder, ...twice], 409, /same/);
    await expectRefused([...twice, folder], 409, /same/);
    await expectRefused([folder, filePart("\u00e9", "1"), filePart("e\u0301", "2")], 409);
  });

  test("the name of a folder", async () => {
    const folder = await a.folder(`${unique("over")}/sub`);
    const parent = folder.key.split("/")[0] ?? "";
    await expectRefused([field("folder", parent), filePart("sub", "x")], 409, /sub/);
  });

  test("a folder path through a file", async () => {
    const file = await a.put(unique("file"));
    await expectRefused([field("folder", file.key), filePart("x", "x")], 409);
    await expectRefused([field("folder", `${file.key}/new/er`), filePart("x", "x")], 409);
    await expectRefused([filePart("x", "x"), field("folder", `${file.key}/new`)], 409);
  });

  test("but not a name in another case", async () => {
    const files = await a.upload([
      field("folder", unique("case")),
      filePart("readme", "1"),
      filePart("README", "2"),
    ]);
    expect(expectData(files, filesData).files.length).toBe(2);
  });
});

describe("rejects with 400", () => {
  test("no file part", async () => {
    await expectRefused([], 400, /files/);
    await expectRefused([field("folder", unique("none"))], 400, /files/);
    await expectRefused([field("files", "text without a file name")], 400, /files/);
  });

  test("only empty unnamed file parts", async () => {
    const unnamed = { name: "files", filename: "", content: "" };
    await expectRefused([unnamed], 400, /files/);
    await expectRefused([unnamed, field("folder", unique("none")), unnamed], 400, /files/);
  });

  test.each(["file", "files[]", "upload", "FILES", "folder", ""])(
    "a file under the field %p",
    async (name) => {
      const parts = [{ name, filename: "f.txt", content: "x" }];
      await expectRefused([field("folder", unique("field")), ...parts], 400, /`?files`?/);
    },
  );

  test("a file in another field beside a valid one", async () => {
    const other = { name: "attachment", filename: "g.txt", content: "x" };
    await expectRefused([filePart(unique("good"), "x"), other], 400, /files/);
    await expectRefused([other, filePart(unique("good"), "x")], 400, /files/);
  });

  test.each(["secret", "", "Public", "PRIVATE", " public", "public,private"])(
    "visibility %p, before and after the files",
    async (visibility) => {
      const parts = [field("folder", unique("vis")), field("visibility", visibility)];
      const file = filePart("f.txt", "x");
      await expectRefused([...parts, file], 400, /visibility.*public.*private/);
      await expectRefused([file, ...parts], 400, /visibility.*public.*private/);
    },
  );

  const deep = (count: number) => Array.from({ length: count }, () => "d").join("/");
  test.each([
    ["..", ".."],
    ["a/../b", ".."],
    [".", "."],
    ["a/./b", "."],
    ["a\\b", "\\"],
    ["a/  /b", "white space"],
    ["a\u0000b", "NUL"],
    ["a/b\u001fc", "a control character"],
    [`a/${"n".repeat(256)}`, "a segment of 256 bytes"],
    [deep(128), "129 segments with the file's"],
    [deep(10_000), "10,000 segments"],
    [Array.from({ length: 20 }, () => "n".repeat(210)).join("/"), "more than 4,096 bytes"],
  ])("a folder with %#", async (folder) => {
    const file = filePart("f.txt", "x");
    const first = await expectRefused([field("folder", `${unique("t")}/${folder}`), file], 400);
    const second = await expectRefused([file, field("folder", folder)], 400);
    expect(first + second).toBeLessThan(2_000);
  });

  test("but not a key at its limits", async () => {
    const base = unique("t");
    const segments = await a.put(`${base}/${deep(126)}/f`);
    expect(segments.key.split("/").length).toBe(128);
    const path = `${base}/${Array.from({ length: 16 }, () => "n".repeat(240)).join("/")}/`;
    const room = 4_096 - path.length;
    const longest = await a.put(`${path}${"f".repeat(room)}`);
    expect(longest.key.length).toBe(4_096);
    expect((await send(server, "GET", `/${longest.url}`)).status).toBe(200);
    const folder = field("folder", path);
    await expectRefused([folder, filePart("g".repeat(room + 1), "x")], 400);
  });
});

describe("rejects a body that is not a complete multipart form", () => {
  const good = multipart([field("folder", "broken"), filePart("f.txt", "content")]);
  const text = good.bytes.toString();
  const cases: readonly (readonly [string, string, string])[] = [
    ["JSON", "application/json", '{"files":[]}'],
    ["a form of another kind", "application/x-www-form-urlencoded", "files=x"],
    ["no boundary", "multipart/form-data", text],
    ["an empty boundary", 'multipart/form-data; boundary=""', text],
    ["another boundary", "multipart/form-data; boundary=other", text],
    ["an empty body", multipartType, ""],
    ["no end", multipartType, text.slice(0, text.lastIndexOf("\r\n--"))],
    ["cut in the end line", multipartType, text.slice(0, -6)],
    ["cut in a header", multipartType, text.slice(0, text.indexOf("f.txt") + 2)],
    ["no Content-Disposition", multipartType, text.replaceAll("Content-Disposition", "X-Other")],
    ["another disposition", multipartType, text.replaceAll("form-data; name=", "inline; name=")],
    ["a part without a name", multipartType, text.replaceAll(' name="files";', "")],
    [
      "a header of 100 kB",
      multipartType,
      text.replace('filename="', `filename="${"x".repeat(100_000)}`),
    ],
  ];
  test.each(cases)("%s", async (_what, type, body) => {
    const answer = await expectUnchanged(server, () =>
      a.json("POST", "/api/files", body, { "Content-Type": type }),
    );
    expectFault(answer, 400);
  });

  test("no Content-Type and no body", async () => {
    expectFault(await expectUnchanged(server, () => a.json("POST", "/api/files")), 400);
  });

  test("50,000 parts or a field of 2 MB at once", async () => {
    const many = Array.from({ length: 50_000 }, (_, at) => field(`f${at}`, ""));
    for (const parts of [many, [field("folder", "x".repeat(2 << 20)), filePart("f", "x")]]) {
      const { answer, milliseconds } = await uploadUnchanged(parts);
      expectFault(answer, answer.status === 413 ? 413 : 400);
      expect(milliseconds).toBeLessThan(2_000);
    }
  });
});
