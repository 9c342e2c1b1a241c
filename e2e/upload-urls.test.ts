import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { Holdall } from "../sdk/src/holdall.ts";
import { startFaultProxy } from "../test/fault-proxy.ts";
import { startServer, type TestServer } from "../test/harness.ts";
import { closeVisits, visit } from "./browser.ts";

/** The SDK, as pages load it. */
const bundle = await Bun.build({
  entrypoints: [join(import.meta.dir, "../sdk/src/holdall.ts")],
  target: "browser",
  format: "esm",
});
const script = await bundle.outputs[0]?.text();

let server: TestServer;
let holdall: Holdall;
/** A site of another origin, which has no API key. */
let site: ReturnType<typeof Bun.serve>;
beforeAll(async () => {
  server = await startServer();
  holdall = new Holdall({ url: server.url, apiKey: server.apiKey });
  site = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) =>
      url.endsWith("/sdk.js")
        ? new Response(script, { headers: { "Content-Type": "text/javascript" } })
        : new Response("<!doctype html><title>Site</title>", {
            headers: { "Content-Type": "text/html" },
          }),
  });
});
afterEach(closeVisits);
afterAll(async () => {
  await site.stop(true);
  await server.discard();
});

interface SentFromPage {
  readonly key: string | undefined;
  readonly progress: readonly number[];
  readonly error: string | undefined;
}

const SIZE = 3_000_000;

/** Sends a file to an upload URL from the page; aborts it after `abortAt` bytes. */
function sendFrom(page: Page, url: string, abortAt = Number.POSITIVE_INFINITY) {
  return page.evaluate(
    async ({ url, size, abortAt }): Promise<SentFromPage> => {
      const sdk = await import("/sdk.js" as string);
      const bytes = Uint8Array.from({ length: size }, (_, at) => at % 251);
      const abort = new AbortController();
      const progress: number[] = [];
      const onProgress = ({ loaded }: { loaded: number }): void => {
        progress.push(loaded);
        if (loaded >= abortAt) abort.abort();
      };
      const options = { chunkSize: 1_000_000, onProgress, signal: abort.signal };
      try {
        const file = await sdk.uploadTo(url, new File([bytes], "clip.mp4"), options);
        return { key: file?.key, progress, error: undefined };
      } catch (error) {
        return { key: undefined, progress, error: String(error) };
      }
    },
    { url, size: SIZE, abortAt },
  );
}

async function openSite(): Promise<Page> {
  const { page } = await visit(`http://127.0.0.1:${site.port}`, {
    expectedStatuses: [404, 409, 413, 500],
  });
  await page.goto("/");
  return page;
}

describe("a page of another origin with an upload URL", () => {
  test("sends a file and shows its progress", async () => {
    const { url } = await holdall.uploads.create({ folder: "inbox", types: ["video/*"] });
    const sent = await sendFrom(await openSite(), url);
    expect(sent).toMatchObject({ key: "inbox/clip.mp4", error: undefined });
    expect(sent.progress.at(-1)).toBe(SIZE);
    const file = await holdall.files.getByKey("inbox/clip.mp4");
    const bytes = await (await holdall.files.download(file.id)).response.bytes();
    expect(bytes).toEqual(Uint8Array.from({ length: SIZE }, (_, at) => at % 251));
  });

  test("continues where it ended, after an abort, a reload and lost connections", async () => {
    let parts = 0;
    const proxy = await startFaultProxy(server.url, (head) => {
      if (!head.startsWith("PATCH")) return undefined;
      parts += 1;
      return parts === 2 || parts === 4 ? "cut request" : undefined;
    });
    const { url } = await holdall.uploads.create({ folder: "broken" });
    const reached = url.replace(server.url, proxy.url);
    const page = await openSite();
    const first = await sendFrom(page, reached, 1_500_000);
    expect(first.error).toContain("abort");
    await page.reload();
    const second = await sendFrom(page, reached);
    await proxy.close();
    expect(second).toMatchObject({ key: "broken/clip.mp4", error: undefined });
    expect(parts).toBeGreaterThan(4);
    expect(second.progress[0]).toBeGreaterThanOrEqual(1_000_000);
    expect((await holdall.files.getByKey("broken/clip.mp4")).size).toBe(SIZE);
  });

  test("gets the reason of a refusal", async () => {
    const { url } = await holdall.uploads.create({ folder: "small", maxSize: 1000 });
    const { error } = await sendFrom(await openSite(), url);
    expect(error).toContain("HoldallError");
    expect(error).not.toContain("Cannot connect");
  });
});
