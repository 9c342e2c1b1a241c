import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { removeFolder, startServer, type TestServer, temporaryFolder } from "../../test/harness.ts";
import { BaseClient } from "./base-client.ts";
import { Holdall } from "./holdall.ts";

/** The examples of the README that follow the comment `runnable`. */
const examples = [
  ...readFileSync(join(import.meta.dir, "../README.md"), "utf8").matchAll(
    /<!-- runnable -->\n\n```ts\n(.*?)```/gs,
  ),
].map(([, code = ""]) => code);

let server: TestServer;
const folder = temporaryFolder();
beforeAll(async () => {
  server = await startServer();
  writeFileSync(join(folder, "harbour.mov"), new Uint8Array(6 * 1024 ** 2));
  mkdirSync(join(folder, "site/assets"), { recursive: true });
  writeFileSync(join(folder, "site/index.html"), "<h1>Harbour</h1>");
  writeFileSync(join(folder, "site/assets/site.css"), "h1 { color: navy }");
});
afterAll(async () => {
  removeFolder(folder);
  await server.discard();
});

const EXPECTED = [
  /bytes\nfilms\/harbour\.mov\n$/,
  /^paused\n$/,
  /2 of 2 files\n2 added, 0 replaced\n$/,
  /^$/,
  /^2 2\n$/,
  /bytes\ninbox\/clip\.mp4\n$/,
];

/** Every method of the client as programs call it, such as `files.get`. */
function methods(): string[] {
  const holdall: object = new Holdall({ url: "https://files.example.com" });
  const own = Object.entries(holdall).flatMap(([group, members]) =>
    Object.keys(Object(members)).map((name) => `${group}.${name}`),
  );
  const inherited = Object.getOwnPropertyNames(BaseClient.prototype);
  return [...own, ...inherited.filter((name) => name !== "constructor")];
}

test("the README names every method", () => {
  const text = readFileSync(join(import.meta.dir, "../README.md"), "utf8");
  expect(methods().length).toBeGreaterThan(100);
  expect(methods().filter((name) => !text.includes(`${name}(`))).toEqual([]);
});

test("the README has the examples that this test knows", () => {
  expect(examples).toHaveLength(EXPECTED.length);
});

test.each(examples.map((code, at) => [at, code] as const))(
  "example %d of the README runs",
  (at, code) => {
    const imports = code.match(/^import .*$/gm) ?? [];
    const program = join(folder, `example-${at}.ts`);
    const sdk = JSON.stringify(join(import.meta.dir, "holdall.ts"));
    writeFileSync(
      program,
      [
        ...imports,
        `import { file, Holdall, uploadTo } from ${sdk};`,
        "const holdall = new Holdall({ url: process.env.HOLDALL_URL, apiKey: process.env.HOLDALL_KEY });",
        code.replace(/^import .*$/gm, ""),
      ].join("\n"),
    );
    const { stdout, stderr } = Bun.spawnSync([process.execPath, program], {
      cwd: folder,
      env: { ...process.env, HOLDALL_URL: server.url, HOLDALL_KEY: server.apiKey },
    });
    expect(stderr.toString()).toBe("");
    expect(stdout.toString()).toMatch(EXPECTED[at] ?? /^never$/);
  },
);
