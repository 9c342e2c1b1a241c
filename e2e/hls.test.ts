import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Holdall } from "../sdk/src/holdall.ts";
import { startServer, type TestServer } from "../test/harness.ts";
import { isMissing } from "../test/reason-to-skip.fixture.ts";
import { closeVisits, visit } from "./browser.ts";
import type { HlsPage } from "./hls-page.ts";

declare global {
  interface Window {
    readonly hlsPage: HlsPage;
  }
}

const ffmpeg = Bun.which("ffmpeg");
const hasFfmpeg = !isMissing("ffmpeg", ffmpeg !== null);

let server: TestServer;
let holdall: Holdall;
/** The site of the player: another origin. */
let site: ReturnType<typeof Bun.serve>;
beforeAll(async () => {
  const bundle = await Bun.build({
    entrypoints: [join(import.meta.dir, "hls-page.ts")],
    target: "browser",
  });
  const script = await bundle.outputs[0]?.text();
  server = await startServer();
  holdall = new Holdall({ url: server.url, apiKey: server.apiKey });
  site = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) =>
      url.endsWith("/page.js")
        ? new Response(script, { headers: { "Content-Type": "text/javascript" } })
        : new Response("<!doctype html><title>Site</title><body><script src=/page.js></script>", {
            headers: { "Content-Type": "text/html" },
          }),
  });
});
afterEach(closeVisits);
afterAll(async () => {
  await site.stop(true);
  await server.discard();
});

/** Stores four seconds of video as a stream of relative names: a playlist beside a folder with its segments. */
async function storeStream(folder: string): Promise<void> {
  const made = mkdtempSync(join(tmpdir(), "holdall-hls-"));
  try {
    const size = ["-f", "lavfi", "-i", "testsrc=duration=4:size=160x90:rate=10"];
    const codec = ["-c:v", "libx264", "-profile:v", "baseline", "-pix_fmt", "yuv420p", "-g", "10"];
    const output = ["-f", "hls", "-hls_time", "1", "-hls_list_size", "0", join(made, "low.m3u8")];
    const { exitCode, stderr } = Bun.spawnSync([ffmpeg ?? "", ...size, ...codec, ...output]);
    if (exitCode !== 0) throw new Error(stderr.toString());
    const options = { visibility: "private" } as const;
    for (const name of readdirSync(made)) {
      await holdall.files.put(`${folder}/low/${name}`, readFileSync(join(made, name)), options);
    }
    const master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=100000,RESOLUTION=160x90\nlow/low.m3u8\n";
    await holdall.files.put(`${folder}/master.m3u8`, master, options);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

test.skipIf(!hasFfmpeg)(
  "hls.js on another site plays a stream in a signed folder",
  async () => {
    await storeStream("videos/regatta");
    const { url } = await holdall.folders.sign({ key: "videos/regatta" });
    // Renamed after it was signed.
    const { folder } = await holdall.folders.browse({ key: "videos" });
    await holdall.folders.rename(folder.id, "films");
    const { page } = await visit(`http://127.0.0.1:${site.port}`);
    await page.goto("/");
    const seconds = await page.evaluate((from) => window.hlsPage.play(from), `${url}master.m3u8`);
    expect(seconds).toBeGreaterThan(3);
  },
  120_000,
);
