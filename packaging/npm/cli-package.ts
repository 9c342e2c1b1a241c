import { chmodSync, copyFileSync } from "node:fs";
import { join } from "node:path";
import type { BunPlugin } from "bun";
import { root } from "../root.ts";
import { writeManifest } from "./manifest.ts";

/** Modules of the server's runtime, and what they are in Node. */
const forNode: BunPlugin = {
  name: "for Node",
  setup({ onLoad }) {
    onLoad({ filter: /\/server\/runtime\/sleep\.ts$/ }, () => ({
      loader: "js",
      contents: 'export { setTimeout as sleep } from "node:timers/promises";',
    }));
    onLoad({ filter: /\/server\/runtime\// }, ({ path }) => {
      throw new Error(`${path} is not for Node.`);
    });
  },
};

/** Writes the npm package `@holdall/cli`, the commands for remote servers, into the folder. */
export async function writeCliPackage(folder: string): Promise<void> {
  const { success, logs } = await Bun.build({
    target: "node",
    format: "esm",
    splitting: true,
    entrypoints: [join(root, "packaging/npm/cli-main.ts")],
    outdir: join(folder, "program"),
    naming: { entry: "holdall.js", chunk: "[name]-[hash].js" },
    plugins: [forNode],
  });
  if (!success) throw new Error(`The commands could not be bundled:\n${logs.join("\n")}`);
  chmodSync(join(folder, "program/holdall.js"), 0o755);
  copyFileSync(join(root, "packaging/npm/cli.md"), join(folder, "README.md"));
  for (const file of ["LICENSE", "THIRD-PARTY.md"])
    copyFileSync(join(root, file), join(folder, file));
  writeManifest(folder, {
    name: "@holdall/cli",
    description: "Upload, download and share files of a Holdall server from the command line.",
    keywords: ["holdall", "file hosting", "upload", "download", "cli"],
    bin: { holdall: "program/holdall.js" },
    files: ["program", "THIRD-PARTY.md"],
  });
}
