import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  appendFileSync,
  readFileSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { releases } from "../../test/releases/releases.fixture.ts";
import { root } from "../root.ts";
import { npmInstall } from "../trial/npm-install.ts";
import { tryServer, tryServerInTime } from "../trial/try-server.ts";
import { writeHoldallPackage } from "./holdall-package.ts";
import { pack } from "./pack.ts";

/* The tarball, installed in an empty folder. */

const MAX_PACKED_BYTES = 15 * 1024 ** 2;

const folder = temporaryFolder();
const project = join(folder, "project");
const holdall = join(project, "node_modules/.bin/holdall");
let tarball = "";

beforeAll(async () => {
  await writeHoldallPackage(join(folder, "package"));
  tarball = pack(join(folder, "package"), folder);
  npmInstall(project, [tarball], ["--ignore-scripts"]);
  // Of another program, and wrong.
  writeFileSync(join(project, "bunfig.toml"), 'preload = ["./missing.ts"]\n');
});
afterAll(() => removeFolder(folder));

const run = (args: readonly string[], env: Record<string, string> = {}) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...args], {
    cwd: project,
    env: { PATH: process.env.PATH, ...env },
  });
  return { code: exitCode, printed: stdout.toString() + stderr.toString() };
};

test("the package holdall has one dependency, no scripts, and fewer than 15 MB", () => {
  expect(statSync(tarball).size).toBeLessThan(MAX_PACKED_BYTES);
  const text = readFileSync(join(project, "node_modules/holdall/package.json"), "utf8");
  const { dependencies, scripts } = JSON.parse(text);
  expect(dependencies).toEqual({ bun: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
  expect(scripts).toBeUndefined();
});

test("serves within 10 s, and keeps what it stores out of the project's repository", async () => {
  await tryServerInTime({ command: [holdall], folder: project }, 10);
  expect(readFileSync(join(project, "data/.gitignore"), "utf8")).toBe("*\n");
});

test("serves with several workers", async () => {
  await tryServer({ command: [holdall], folder: project, env: { WORKERS: "2" } });
});

test("the first upload and download of the README work in the project", async () => {
  const photo = Buffer.from("not really a photo");
  writeFileSync(join(project, "photo.jpg"), photo);
  await tryServer({
    command: [holdall],
    folder: project,
    meanwhile({ HOLDALL_URL = "" }) {
      const commands = join(root, "packaging/trial/readme-commands.sh");
      const script = run(["sh", commands, "npx holdall", HOLDALL_URL]).printed;
      const { code, printed } = run(["sh", "-e", "-c", script]);
      expect({ code, printed }).toEqual({
        code: 0,
        printed: expect.stringMatching(/"url":"[^"]*private\/photo\.jpg\?[^"]+"/),
      });
    },
  });
  expect(readFileSync(join(project, "copy.jpg"))).toEqual(photo);
});

test.each(releases)("opens the data folder of $version", async ({ contents, dataFolder }) => {
  const env = { DATA_PATH: dataFolder(), AUTH_SECRET: contents.authSecret };
  await tryServer({ command: [holdall], folder: project, env });
  const { code, printed } = run([holdall, "export", join(folder, "exported")], env);
  expect({ code, printed }).toMatchObject({ code: 0 });
  for (const [key, { text }] of Object.entries(contents.files)) {
    expect(readFileSync(join(folder, "exported", key), "utf8")).toBe(text);
  }
});

describe("refuses in one sentence", () => {
  /** Runs the command in a Node that says it is something else. */
  const runAs = (disguise: string) =>
    run(["node", "--import", `data:text/javascript,${encodeURIComponent(disguise)}`, holdall]);

  test.each([
    ['Object.defineProperty(process, "platform", { value: "win32" })', /does not run on win32/],
    ['Object.defineProperty(process, "arch", { value: "s390x" })', /does not run on linux s390x/],
    ['Object.defineProperty(process, "arch", { value: "arm64" })', /runtime for linux arm64 is mi/],
    [
      'Object.defineProperty(process, "versions", { value: { node: "18.2.0" } })',
      /Node 20 or newer, and this is Node 18\.2\.0/,
    ],
  ])("%s", (disguise, expected) => {
    const { code, printed } = runAs(disguise);
    expect({ code, printed }).toEqual({ code: 1, printed: expect.stringMatching(expected) });
    expect(printed.trim().split("\n")).toHaveLength(1);
  });

  test("a data folder that this user may not write", () => {
    const { code, printed } = run([holdall], { DATA_PATH: "/proc/holdall" });
    expect({ code, lines: printed.trim().split("\n") }).toEqual({
      code: 1,
      lines: [expect.stringContaining("must be a folder that this user may write")],
    });
  });

  test.each([
    ["a missing module", (path: string) => unlinkSync(path)],
    ["a cut module", (path: string) => truncateSync(path, 300)],
  ])("an installation that was interrupted: %s", (_, spoil) => {
    const module = join(project, "node_modules/holdall/program/main.ts");
    const whole = readFileSync(module);
    spoil(module);
    try {
      const { code, printed } = run([holdall, "version"]);
      expect({ code, printed }).toEqual({
        code: 1,
        printed: "This installation of Holdall is incomplete: install holdall again.\n",
      });
    } finally {
      writeFileSync(module, whole);
    }
  });

  test.skipIf(process.platform !== "linux")("a runtime that does not fit or is incomplete", () => {
    const path = new Bun.Glob("@oven/*/bin/bun").scanSync(join(project, "node_modules"));
    const runtime = join(project, "node_modules", [...path][0] ?? "none");
    const whole = readFileSync(runtime);
    const start = whole.subarray(0, 2_000_000);
    try {
      writeFileSync(runtime, start);
      expect(run([holdall, "version"]).printed).toMatch(/^The runtime crashed with SIG\w+: .*\n$/);
      const loader = start.indexOf("/ld-");
      writeFileSync(runtime, Buffer.concat([start.subarray(0, loader), Buffer.from("/no")]));
      appendFileSync(runtime, start.subarray(loader + 3));
      expect(run([holdall, "version"]).printed).toMatch(/^Holdall could not .* C library .*\n$/);
    } finally {
      writeFileSync(runtime, whole);
    }
  });

  test("a taken port", () => {
    using other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
    const { code, printed } = run([holdall], {
      PORT: String(other.port),
      DATA_PATH: join(folder, "other"),
    });
    expect({ code, lines: printed.trim().split("\n") }).toEqual({
      code: 1,
      lines: [expect.stringContaining("another program uses it")],
    });
  });
});
