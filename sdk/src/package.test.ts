import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { removeFolder, startServer, type TestServer, temporaryFolder } from "../../test/harness.ts";

/** A program that uses the built package in Node. */
const PROGRAM = `
import { file as localFile, Holdall, HoldallError } from "./dist/holdall.js";
const holdall = new Holdall({ url: process.env.HOLDALL_URL, apiKey: process.env.HOLDALL_KEY });
const progress = [];
let memory = 0;
const file = await holdall.files.upload(localFile(process.argv[1]), {
  folder: "from/node",
  visibility: "private",
  resumableAbove: Number.POSITIVE_INFINITY,
  onProgress: ({ loaded }) => {
    progress.push(loaded);
    memory = Math.max(memory, process.memoryUsage.rss());
  },
});
const part = await holdall.files.download(file.id, { range: { last: 4 } });
const again = await holdall.files.upload(localFile(process.argv[1]), { folder: "from/node" }).catch((error) => error);
const several = await holdall.files.upload(localFile(process.argv[1]), {
  folder: "several",
  onProgress: () => {
    memory = Math.max(memory, process.memoryUsage.rss());
  },
});
const tree = await holdall.files.uploadFolder("dist", { folder: "tree", resumableAbove: 1000 });
const stream = await holdall.files.upload(new Blob(["streamed"]).stream(), { name: "stream.txt" });
console.log(JSON.stringify({
  file, reports: progress.length, loaded: progress.at(-1), part: await part.response.text(),
  again: again instanceof HoldallError && again.status, stream: stream.size, several: several.size, tree: tree.files, memory,
}));
`;

const MEGABYTE = 2 ** 20;
const folder = temporaryFolder();
let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  removeFolder(folder);
  await server.discard();
});

test("the built package works in Node and streams a large file from disk", async () => {
  const build = fileURLToPath(new URL("../build.mjs", import.meta.url));
  const built = Bun.spawnSync(["node", build, join(folder, "dist")]);
  expect(built.stderr.toString()).toBe("");
  expect(await Bun.file(join(folder, "dist/sdk/src/holdall.d.ts")).exists()).toBe(true);

  const large = join(folder, "large.bin");
  const content = new Uint8Array(300 * MEGABYTE);
  content.set(new TextEncoder().encode("tail"), content.length - 4);
  await Bun.write(large, content);
  await Bun.write(join(folder, "package.json"), '{"type":"module"}');

  const node = Bun.spawn(["node", "--input-type=module", "-e", PROGRAM, large], {
    cwd: folder,
    env: { ...process.env, HOLDALL_URL: server.url, HOLDALL_KEY: server.apiKey },
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([
    new Response(node.stdout).text(),
    new Response(node.stderr).text(),
  ]);
  expect(stderr).toBe("");
  const { file, reports, loaded, part, again, stream, several, tree, memory } = JSON.parse(stdout);
  expect(file).toMatchObject({
    key: "from/node/large.bin",
    size: content.length,
    visibility: "private",
  });
  expect(reports).toBeGreaterThan(10);
  expect(loaded).toBe(content.length);
  expect({ part, again, stream }).toEqual({ part: "tail", again: 409, stream: 8 });
  expect(several).toBe(content.length);
  expect(tree).toBeGreaterThan(20);
  expect(memory).toBeLessThan(180 * MEGABYTE);
});
