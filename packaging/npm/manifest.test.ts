import { afterAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { writeManifest } from "./manifest.ts";

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

const written = (env: Record<string, string>) => {
  writeManifest(folder, { name: "holdall" }, env);
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
};

test("a package that the release job makes names the repository, as its provenance does", () => {
  const job = { GITHUB_SERVER_URL: "https://git.example.com", GITHUB_REPOSITORY: "ada/holdall" };
  const { repository } = written(job);
  expect(repository).toEqual({ type: "git", url: "git+https://git.example.com/ada/holdall.git" });
});

test("a package that is made elsewhere names no repository", () => {
  expect(written({})).not.toHaveProperty("repository");
});
