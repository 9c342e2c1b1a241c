import { afterAll, describe, expect, test } from "bun:test";
import { startServer } from "../../../test/harness.ts";
import { hasNginx, startNginx } from "../../../test/nginx.ts";
import { Holdall, uploadTo } from "../holdall.ts";
import { failureOf, MEGABYTE, randomBytes } from "./upload-test-setup.fixture.ts";

describe.skipIf(!hasNginx)("behind nginx", async () => {
  const server = await startServer();
  afterAll(() => server.discard());
  const content = randomBytes(40 * MEGABYTE);

  async function behind(limit: string) {
    const nginx = await startNginx(`
      client_max_body_size ${limit};
      location / {
        proxy_pass http://127.0.0.1:${new URL(server.url).port};
        proxy_http_version 1.1;
        proxy_request_buffering off;
      }`);
    return { nginx, holdall: new Holdall({ url: nginx.url, apiKey: server.apiKey }) };
  }

  const stored = async (holdall: Holdall, id: string) =>
    (await holdall.files.download(id)).response.bytes();

  test.each(["1m", "8m", "100m"])(
    "that takes requests of %s, a large file arrives",
    async (limit) => {
      const { nginx, holdall } = await behind(limit);
      const file = await holdall.files.upload(content, { name: `${limit}.bin`, attempts: 3 });
      expect(Buffer.compare(await stored(holdall, file.id), content)).toBe(0);
      await nginx.stop();
    },
  );

  test("that takes less than `chunkSize`, the chunks are shorter", async () => {
    const { nginx, holdall } = await behind("8m");
    const { url } = await holdall.uploads.create({ name: "fixed.bin" });
    const file = await uploadTo(url, content, { chunkSize: 32 * MEGABYTE, attempts: 1 });
    expect(file?.key).toBe("fixed.bin");
    await nginx.stop();
  });

  test("a file that fits in one request for Holdall, but not for the proxy, arrives", async () => {
    const { nginx, holdall } = await behind("1m");
    const small = content.subarray(0, 3 * MEGABYTE);
    const file = await holdall.files.upload(small, { name: "small.bin", folder: "small" });
    expect(file).toMatchObject({ key: "small/small.bin", size: small.length });
    await nginx.stop();
  });

  test("a folder arrives, also its files that do not fit in one request", async () => {
    const { nginx, holdall } = await behind("1m");
    const sizes = [3 * MEGABYTE, 100, 600_000, 600_000];
    const items = sizes.map((size, at) => ({ path: `f${at}`, content: content.subarray(0, size) }));
    const { added, bytes } = await holdall.files.uploadFolder(items, { folder: "tree" });
    expect({ added, bytes }).toEqual({ added: 4, bytes: sizes.reduce((sum, size) => sum + size) });
    await nginx.stop();
  });

  test("Holdall's own refusal is final", async () => {
    const { nginx, holdall } = await behind("100m");
    const { url } = await holdall.uploads.create({ name: "own.bin", maxSize: 1000 });
    const error = await failureOf(holdall.uploads.send(url, content.subarray(0, 2000)));
    expect(error).toMatchObject({ status: 413, code: "too_large" });
    await nginx.stop();
  });
});
