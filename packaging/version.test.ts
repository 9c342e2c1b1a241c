import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { manifest } from "./npm/manifest.ts";
import { root } from "./root.ts";

const { version } = manifest;
const read = (path: string): string => readFileSync(join(root, path), "utf8");

test.each([
  ["sdk/package.json", `"version": "${version}"`],
  ["package-lock.json", `"version": "${version}"`],
  ["compose.yaml", `image: holdall/holdall:${version}`],
  ["deploy/kubernetes.yaml", `image: holdall/holdall:${version}`],
  ["deploy/kubernetes-full.yaml", `image: holdall/holdall:${version}`],
  ["README.md", `holdall_${version}_amd64.deb`],
  ["docs/deployment.md", `holdall-${version}-linux-x64.tar.gz`],
])("%s has the version of package.json", (path, text) => {
  expect(read(path)).toContain(text);
});

test("the release notes are what CHANGELOG.md says about the version", () => {
  const notes = spawnSync("node", ["scripts/release-notes.mjs"], { cwd: root, encoding: "utf8" });
  expect(notes.stderr).toBe("");
  expect(notes.stdout).toStartWith("To upgrade from 0.1.0");
  expect(notes.stdout).toContain("### Changed");
  expect(notes.stdout).not.toContain("## 0.1.0");
});
