import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { removeFolder, startServer, type TestServer, temporaryFolder } from "../../test/harness.ts";
import { root } from "../root.ts";
import { npmInstall } from "../trial/npm-install.ts";
import { pack } from "./pack.ts";
import { pageBytes, pageLimits } from "./page-bytes.ts";
import { writeSdkPackage } from "./sdk-package.ts";

/* The tarball, installed in an empty folder. */

const folder = temporaryFolder();
const project = join(folder, "project");
const installed = join(project, "node_modules/@holdall/sdk");
let server: TestServer;

beforeAll(async () => {
  writeSdkPackage(join(folder, "package"));
  npmInstall(project, [pack(join(folder, "package"), folder)]);
  server = await startServer();
});
afterAll(async () => {
  await server.discard();
  removeFolder(folder);
});

test.each([...pageLimits])("a page with `$lines` loads at most $kilobytes KB", async (limit) => {
  expect(await pageBytes(project, limit.lines)).toBeLessThanOrEqual(limit.kilobytes * 1024);
});

test("declares its types to Node's and bundlers' ways of resolving modules", () => {
  writeFileSync(
    join(project, "uses.ts"),
    `import { Holdall, HoldallError, type FileObject } from "@holdall/sdk";
import { type Admin, adminOf } from "@holdall/sdk/admin";
import { actionTexts, keyActions } from "@holdall/sdk/texts";
import { uploadTo } from "@holdall/sdk/upload";
const holdall = new Holdall({ url: "https://files.example.com" });
export const file: Promise<FileObject> = holdall.files.get("1");
export const sent: Promise<{ readonly key: string } | undefined> = uploadTo("https://files.example.com/u", new Blob());
export const texts: readonly string[] = [...Object.keys(actionTexts), ...keyActions];
export const admin: Admin = adminOf(holdall);
export const error: Error = new HoldallError(404, "none");
`,
  );
  for (const [module, moduleResolution] of [
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ]) {
    const { stdout } = Bun.spawnSync(
      [
        ...["node", join(root, "node_modules/typescript/bin/tsc"), "--noEmit", "--strict"],
        ...["--target", "es2022", "--lib", "es2023,dom,dom.iterable,dom.asynciterable"],
        ...["--types", "", "--module", module ?? "", "--moduleResolution", moduleResolution ?? ""],
        "uses.ts",
      ],
      { cwd: project },
    );
    expect(stdout.toString()).toBe("");
  }
});

test("has the script and the types of every entry", () => {
  const { exports } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  const entries = Object.values<Record<string, string>>(exports).filter((entry) => entry.types);
  expect(entries.length).toBeGreaterThan(9);
  const files = entries.flatMap((entry) => Object.values(entry));
  expect(files.filter((file) => !existsSync(join(installed, file)))).toEqual([]);
});

test("has source maps with the sources", () => {
  const map = JSON.parse(readFileSync(join(installed, "dist/holdall.js.map"), "utf8"));
  expect(map.sources).toContain("sdk/src/files/files.ts");
  expect(map.sourcesContent).toHaveLength(map.sources.length);
});

test("uploads from Node, with one class of errors in all entries", () => {
  writeFileSync(
    join(project, "upload.mjs"),
    `import { Holdall, HoldallError } from "@holdall/sdk";
import { HoldallError as UploadError, uploadTo } from "@holdall/sdk/upload";
const holdall = new Holdall({ url: process.env.URL, apiKey: process.env.KEY });
const { url } = await holdall.uploads.create({ folder: "inbox" });
const { key } = await uploadTo(url, new File(["hello"], "a.txt"));
const error = await uploadTo(url + "0", new File(["hello"], "a.txt")).catch((error) => error);
console.log(key, error instanceof HoldallError, HoldallError === UploadError, error.status);
`,
  );
  const { stdout, stderr } = Bun.spawnSync(["node", "upload.mjs"], {
    cwd: project,
    env: { PATH: process.env.PATH, URL: server.url, KEY: server.apiKey },
  });
  expect(stderr.toString()).toBe("");
  expect(stdout.toString()).toBe("inbox/a.txt true true 404\n");
});
