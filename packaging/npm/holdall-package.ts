import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { serverFiles } from "../../scripts/server-files.ts";
import { root } from "../root.ts";
import { TYPEFACE } from "../typeface.ts";
import { bundleProgram, PROGRAM_FOLDER } from "./bundle-program.ts";
import { describeFile, FILES_FILE } from "./is-complete.ts";
import { manifest, writeManifest } from "./manifest.ts";

/** Writes the npm package `holdall`, the server with all its commands, into the folder. */
export async function writeHoldallPackage(folder: string): Promise<void> {
  const program = join(folder, PROGRAM_FOLDER);
  await bundleProgram(program, "npx holdall");
  await bundleLauncher(join(folder, "bin"));
  const files = serverFiles();
  for (const file of files) copy(file, join(folder, file));
  const folders = new Set(files.map((file) => file.slice(0, file.indexOf("/"))));
  copy(TYPEFACE, join(program, "inter-latin.woff2"));
  // Without settings, those in the user's current folder would apply to the server.
  writeFileSync(
    join(program, "bunfig.toml"),
    "# The runtime's settings for Holdall: its defaults.\n",
  );
  describeFiles(folder, [PROGRAM_FOLDER, ...folders]);
  copy("packaging/npm/holdall.md", join(folder, "README.md"));
  copy("CHANGELOG.md", join(folder, "CHANGELOG.md"));
  for (const file of ["LICENSE", "THIRD-PARTY.md"]) copy(file, join(folder, file));
  writeManifest(folder, {
    name: "holdall",
    description: manifest.description,
    keywords: ["file hosting", "file server", "self-hosted", "storage", "upload", "s3", "tus"],
    bin: { holdall: "bin/holdall.js" },
    files: ["bin", PROGRAM_FOLDER, ...folders, "CHANGELOG.md", "THIRD-PARTY.md"],
    dependencies: { bun: manifest.dependencies.bun },
  });
}

/** As one file for Node. */
async function bundleLauncher(folder: string): Promise<void> {
  const { success, logs } = await Bun.build({
    target: "node",
    format: "esm",
    entrypoints: [join(root, "packaging/npm/launcher.mjs")],
    outdir: folder,
    naming: "holdall.js",
  });
  if (!success) throw new Error(`The launcher could not be bundled:\n${logs.join("\n")}`);
  chmodSync(join(folder, "holdall.js"), 0o755);
}

/** Describes all files in the subfolders, for the launcher. */
function describeFiles(folder: string, subfolders: readonly string[]): void {
  const files = subfolders.flatMap((subfolder) =>
    readdirSync(join(folder, subfolder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name)),
  );
  const described = files.map((file) => [relative(folder, file), describeFile(readFileSync(file))]);
  writeFileSync(join(folder, FILES_FILE), JSON.stringify(Object.fromEntries(described)));
}

function copy(file: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(join(root, file), to);
}
