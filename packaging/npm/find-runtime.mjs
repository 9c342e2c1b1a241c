import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The packages of the runtime, by platform and processor. Linux has two kinds of C libraries. */
const PACKAGES = {
  "linux x64": "@oven/bun-linux-x64",
  "linux arm64": "@oven/bun-linux-aarch64",
  "darwin x64": "@oven/bun-darwin-x64",
  "darwin arm64": "@oven/bun-darwin-aarch64",
};
/** In place of the runtime, its package has a script of a few lines until its install script ran. */
const SMALLEST_RUNTIME_BYTES = 1_000_000;

/** The package with the runtime for this machine; undefined: there is none. */
export const packageOfRuntime = () => PACKAGES[`${process.platform} ${process.arch}`];

/**
 * The path of the runtime that is installed for the module at the URL; undefined: there is none. npm moves the runtime
 * out of the platform's package into `bun`, unless it is told to ignore scripts. pnpm puts packages where only
 * those find them that depend on them, so the platform's package is looked up from `bun`.
 */
export function findRuntime(moduleUrl) {
  const name = packageOfRuntime();
  const bun = findPackage(createRequire(moduleUrl), "bun");
  if (name === undefined || bun === undefined) return undefined;
  const require = createRequire(join(bun, "package.json"));
  const names = process.platform === "linux" ? [name, `${name}-musl`] : [name];
  const platformPackages = names.flatMap((each) => findPackage(require, each) ?? []);
  const places = [
    join(bun, "bin", "bun.exe"),
    ...platformPackages.map((folder) => join(folder, "bin", "bun")),
  ];
  return places.find(isRuntime);
}

function findPackage(require, name) {
  try {
    return dirname(require.resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
}

const isRuntime = (path) =>
  (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > SMALLEST_RUNTIME_BYTES;
