import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/* Checks of the lock file. */

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (name: string): unknown => JSON.parse(readFileSync(join(root, name), "utf8"));

const locked = z.object({
  version: z.string().optional(),
  license: z.string().optional(),
  integrity: z.string().optional(),
  resolved: z.string().optional(),
  dev: z.boolean().optional(),
  devOptional: z.boolean().optional(),
  link: z.boolean().optional(),
  inBundle: z.boolean().optional(),
  hasInstallScript: z.boolean().optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
});
const { packages } = z
  .object({ packages: z.record(z.string(), locked) })
  .parse(read("package-lock.json"));
const manifest = z
  .object({
    dependencies: z.record(z.string(), z.string()),
    devDependencies: z.record(z.string(), z.string()),
  })
  .parse(read("package.json"));

/** A bundled package is a part of another one's checksum. */
const installed = Object.entries(packages).filter(
  ([path, { link, inBundle }]) =>
    path.includes("node_modules/") && link !== true && inBundle !== true,
);
const shipped = installed.filter(
  ([, { dev, devOptional }]) => dev !== true && devOptional !== true,
);

/** Licences that require no more than their text, or the sources of their own files. */
const LICENCES = [
  "MIT",
  "ISC",
  "0BSD",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "MPL-2.0",
  "OFL-1.1",
  "Unlicense",
];

describe("production dependencies", () => {
  test("have licences compatible with MIT", () => {
    const others = shipped.filter(([, { license }]) => !LICENCES.includes(license ?? "none"));
    expect(others.map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
  });

  test("run no install scripts, except the runtime", () => {
    const scripts = shipped.filter(([, { hasInstallScript }]) => hasInstallScript === true);
    expect(scripts.map(([path]) => path)).toEqual(["node_modules/bun"]);
  });
});

test("all dependencies are pinned with a checksum and without a registry URL", () => {
  const asked = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  expect(asked.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  expect(
    installed.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path),
  ).toEqual([]);
  expect(
    installed.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path),
  ).toEqual([]);
});

test("the builds for all platforms are locked, so that every machine installs the same versions", () => {
  const names = installed.flatMap(([, each]) => Object.keys(each.optionalDependencies ?? {}));
  expect(names.length).toBeGreaterThan(10);
  expect(
    names.filter((name) => !installed.some(([path]) => path.endsWith(`node_modules/${name}`))),
  ).toEqual([]);
});
