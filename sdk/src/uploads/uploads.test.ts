import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { startServer, type TestServer } from "../../../test/harness.ts";
import { Holdall, uploadTo } from "../holdall.ts";
import { failureOf, faultyClient, MEGABYTE, randomBytes } from "./upload-test-setup.fixture.ts";

let server: TestServer;
let holdall: Holdall;
beforeAll(async () => {
  server = await startServer();
  holdall = new Holdall({ url: server.url, apiKey: server.apiKey });
});
afterAll(() => server.discard());

let count = 0;
const freshFolder = (): string => `url-${++count}`;

describe("an upload URL", () => {
  test("takes one file without any other credentials, in parts, under the sender's name", async () => {
    const folder = freshFolder();
    const { url, offset, name } = await holdall.uploads.create({ folder, maxSize: 4 * MEGABYTE });
    expect({ isAbsolute: url.startsWith(`${server.url}/api/uploads/`), offset, name }).toEqual({
      isAbsolute: true,
      offset: 0,
      name: null,
    });
    const content = randomBytes(3 * MEGABYTE);
    const progress: number[] = [];
    const sent = await uploadTo(url, content, {
      name: "ä b.bin",
      chunkSize: MEGABYTE,
      onProgress: ({ loaded }) => progress.push(loaded),
    });
    const sha256 = createHash("sha256").update(content).digest("hex");
    expect(sent).toMatchObject({ key: `${folder}/ä b.bin`, sha256 });
    const file = await holdall.files.get(sent?.id ?? "");
    expect(sent?.url).toBe(file.url);
    expect(progress.at(-1)).toBe(content.length);
    // Sent again, it finds the file complete.
    expect(await uploadTo(url, content, { name: "ä b.bin" })).toEqual(sent);
  });

  test("continues from another client, and shows its state", async () => {
    const { url } = await holdall.uploads.create({ folder: freshFolder(), name: "a.bin" });
    const content = randomBytes(3 * MEGABYTE);
    const abort = new AbortController();
    await failureOf(
      uploadTo(url, content, {
        chunkSize: MEGABYTE,
        signal: abort.signal,
        onProgress: ({ loaded }) => {
          if (loaded > 1.5 * MEGABYTE) abort.abort();
        },
      }),
    );
    const { offset, size, isComplete } = await holdall.uploads.state(url);
    expect({ size, isComplete }).toEqual({ size: content.length, isComplete: false });
    expect(offset).toBeGreaterThanOrEqual(MEGABYTE);
    const open = await holdall.uploads.show(url);
    expect(open).toMatchObject({ upload: { name: "a.bin" }, complete: false, file: null });
    // The server may have stored more of the aborted request since then.
    expect(open.upload.offset).toBeGreaterThanOrEqual(offset);
    const file = await holdall.uploads.send(url, content);
    const { complete, file: stored } = await holdall.uploads.show(url);
    expect({ complete, key: stored?.key }).toEqual({ complete: true, key: file?.key });
    expect(await holdall.uploads.state(url)).toMatchObject({ isComplete: true, file });
  });

  test("refuses content of another size than it was created for", async () => {
    const { url } = await holdall.uploads.create({ folder: freshFolder(), name: "a", size: 10 });
    const refused = await failureOf(uploadTo(url, randomBytes(11)));
    expect(refused).toMatchObject({
      status: 400,
      message: expect.stringContaining("is for a file of 10 bytes"),
    });
    expect((await uploadTo(url, randomBytes(10)))?.key).toEndWith("/a");
  });

  test("takes an empty file, and no stream", async () => {
    const { url } = await holdall.uploads.create({ folder: freshFolder(), name: "empty" });
    expect(await failureOf(uploadTo(url, new Blob([]).stream()))).toMatchObject({ status: 400 });
    const file = await uploadTo(url, new Blob([]));
    expect((await holdall.files.get(file?.id ?? "")).size).toBe(0);
  });

  test("keeps to its limits, and ends when it is cancelled", async () => {
    const { url } = await holdall.uploads.create({
      folder: freshFolder(),
      name: "a.png",
      types: ["image/*"],
      maxSize: 100,
    });
    expect(await failureOf(uploadTo(url, randomBytes(101)))).toMatchObject({ status: 413 });
    await holdall.uploads.cancel(url);
    for (const call of [() => uploadTo(url, randomBytes(5)), () => holdall.uploads.state(url)]) {
      expect(await failureOf(call())).toMatchObject({
        status: 404,
        message: "The upload does not exist any more, or its URL is wrong.",
      });
    }
  });

  test("never gets the API key of the client", async () => {
    const { client, heads, close } = await faultyClient(server, () => undefined);
    const { url } = await client.uploads.create({ folder: freshFolder(), name: "a.bin" });
    heads.length = 0;
    await client.uploads.send(url, randomBytes(10));
    await client.uploads.state(url);
    await close();
    expect(heads.length).toBeGreaterThanOrEqual(3);
    expect(heads.join("").toLowerCase()).not.toContain("api-key");
  });
});

test("methods take only URLs of the server's uploads or batches", async () => {
  const token = "019c12a4-0000-7000-8000-000000000000.secret";
  const { uploads, batches } = holdall;
  for (const url of [
    `https://elsewhere.example/api/uploads/${token}`,
    `https://elsewhere.example/api/batches/${token}`,
    ...[
      "",
      "/",
      "/api/uploads",
      "/api/batches/",
      "/api/files",
      "ftp://elsewhere.example/a",
      "https://",
    ],
    ...[
      `/api/uploads/${token}/more`,
      `/api/batches/${token}?more`,
      `${server.url}.example/${token}`,
    ],
  ]) {
    for (const call of [uploads.state, uploads.show, uploads.cancel]) {
      const failure = await failureOf(call(url));
      expect(failure, url).toBeInstanceOf(TypeError);
      expect(`${failure}`).toContain(`must be an upload URL`);
      expect(`${failure}`).toContain(`${server.url}/api/uploads/`);
      expect(`${failure}`).not.toContain("secret");
    }
    expect(await failureOf(uploads.send(url, new Blob(["x"])))).toBeInstanceOf(TypeError);
    const empty = { name: "a" };
    for (const call of [
      ...[batches.show(url), batches.add(url, []), batches.createUpload(url, empty)],
      ...[batches.commit(url), batches.drop(url)],
    ]) {
      const failure = await failureOf(call);
      expect(failure, url).toBeInstanceOf(TypeError);
      expect(`${failure}`).toContain("must be a batch URL");
    }
  }
  for (const url of [`api/uploads/${token}`, `${server.url}/api/uploads/${token}`]) {
    expect(await failureOf(uploads.state(url))).toMatchObject({ status: 404 });
  }
});

test("features are those of the server", async () => {
  const { extensions, maxSize } = await holdall.uploads.features();
  expect(extensions).toContain("creation");
  expect(maxSize).toBeGreaterThan(MEGABYTE);
});

describe("a batch", () => {
  test("collects files and uploads, and makes them visible together", async () => {
    const folder = freshFolder();
    const { url, batch } = await holdall.batches.create({ folder });
    expect(batch).toMatchObject({ state: "open", folder, files: 0 });
    const files = [new File(["a"], "a.txt"), { content: new Blob(["bb"]), name: "b.txt" }];
    const added = await holdall.batches.add(url, files, { folder: "sub" });
    expect(added.batch).toMatchObject({ files: 2, bytes: 3 });
    const upload = await holdall.batches.createUpload(url, { name: "c.bin", size: 4 });
    const open = await holdall.batches.show(url);
    expect(open.members.map(({ folder, name }) => `${folder}/${name}`).sort()).toEqual([
      "sub/a.txt",
      "sub/b.txt",
    ]);
    expect(open.uploads).toMatchObject([{ folder: "", name: "c.bin", size: 4, offset: 0 }]);
    expect(await holdall.uploads.send(upload.url, randomBytes(4))).toBeUndefined();
    expect(await failureOf(holdall.folders.browse({ key: folder }))).toMatchObject({ status: 404 });

    const done = await holdall.batches.commit(url);
    expect(done).toMatchObject({ state: "committed", files: 3, result: { added: 3 } });
    expect(await holdall.batches.commit(url)).toEqual(done);
    expect((await holdall.files.getByKey(`${folder}/sub/b.txt`)).size).toBe(2);
  });

  test("is dropped with everything in it", async () => {
    const folder = freshFolder();
    const { url } = await holdall.batches.create({ folder });
    await holdall.batches.add(url, [new File(["a"], "a.txt")]);
    await holdall.batches.drop(url);
    expect(await failureOf(holdall.batches.show(url))).toMatchObject({ status: 404 });
    expect(await failureOf(holdall.folders.browse({ key: folder }))).toMatchObject({ status: 404 });
  });
});
