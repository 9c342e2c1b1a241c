import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { Holdall } from "../sdk/src/holdall.ts";
import { until } from "../server/files/files.fixture.ts";
import { unique } from "../test/client.ts";
import { startServer, type TestServer } from "../test/harness.ts";
import { closeVisits, visit } from "./browser.ts";

/* Runs the code of docs/resumable-uploads.md for pages, with the real clients, in a page of another origin. */

let server: TestServer;
let holdall: Holdall;
let site: ReturnType<typeof Bun.serve>;
const scripts = new Map<string, string>();

/** The example that imports this package and is given an upload URL, bundled as a page does it. */
async function bundleExample(name: string): Promise<string> {
  const text = await readFile(join(import.meta.dir, "../docs/resumable-uploads.md"), "utf8");
  const examples = [...text.matchAll(/```js\n(.*?)```/gs)].map(([, code = ""]) => code);
  const code = examples.find((each) => each.includes(`"${name}"`) && each.includes("uploadUrl"));
  if (code === undefined) throw new Error(`The document has no example for ${name}.`);
  // Beside the tests, so that the packages are found.
  const folder = await mkdtemp(join(import.meta.dir, "example-"));
  try {
    const entry = join(folder, "example.js");
    const given = "const { file, url } = globalThis.given;\n";
    await writeFile(entry, given + code.replaceAll("https://files.example.com", server.url));
    const { outputs } = await Bun.build({ entrypoints: [entry], target: "browser" });
    return (await outputs[0]?.text()) ?? "";
  } finally {
    await rm(folder, { recursive: true });
  }
}

beforeAll(async () => {
  server = await startServer({ RATE_LIMIT_API: "0" });
  holdall = new Holdall({ url: server.url, apiKey: server.apiKey });
  for (const name of ["tus-js-client", "@uppy/tus"]) {
    scripts.set(name, await bundleExample(name));
  }
  site = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () =>
      new Response("<!doctype html><title>Site</title>", {
        headers: { "Content-Type": "text/html" },
      }),
  });
});
afterEach(closeVisits);
afterAll(async () => {
  await site.stop(true);
  await server.discard();
});

const SIZE = 2_000_000;

async function run(page: Page, client: string, url: string, name: string): Promise<void> {
  await page.evaluate(
    (given) => {
      const bytes = Uint8Array.from({ length: given.size }, (_, at) => at % 251);
      Object.assign(globalThis, {
        given: { url: given.url, file: new File([bytes], given.name, { type: "video/mp4" }) },
      });
    },
    { url, name, size: SIZE },
  );
  await page.addScriptTag({ content: scripts.get(client) ?? "", type: "module" });
}

/** The path of an upload URL as the API returns it. */
const pathOf = (url: string): string => new URL(url).pathname.slice(1);

async function expectStored(key: string): Promise<void> {
  const path = key.split("/").map(encodeURIComponent).join("/");
  let answer = new Response(null, { status: 404 });
  await until(async () => {
    answer = await fetch(`${server.url}/api/hosting/${path}`);
    return answer.status === 200;
  });
  expect(await answer.bytes()).toEqual(Uint8Array.from({ length: SIZE }, (_, at) => at % 251));
}

describe.each(["tus-js-client", "@uppy/tus"])("the documented page with %s", (client) => {
  test.each([
    ["without name and size", {}],
    ["with a name", { name: "given.mp4" }],
    ["with name and size", { name: "given.mp4", size: SIZE }],
  ])("uploads to a URL %s", async (_, options) => {
    const folder = unique("documented");
    const { url } = await holdall.uploads.create({ folder, ...options });
    const { page, consoleErrors } = await visit(`http://127.0.0.1:${site.port}`);
    await page.goto("/");
    await run(page, client, pathOf(url), "Größe 日本.mp4");
    await expectStored(`${folder}/${"name" in options ? options.name : "Größe 日本.mp4"}`);
    expect(consoleErrors).toEqual([]);
  });
});
