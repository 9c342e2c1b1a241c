import { readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { BunPlugin } from "bun";
import { serverThreads } from "../../scripts/server-threads.ts";
import { root } from "../root.ts";

/** Where a package has the bundle: a folder without subfolders, so that each chunk finds files in the same way. */
export const PROGRAM_FOLDER = "program";

const threadFolders = new Set(serverThreads.map((path) => dirname(path)));

/**
 * Modules find files by their own place, which is that of a chunk here: they get the place of their source, in a package
 * that has the files at their paths in the repository. Threads are beside the chunks that start them.
 */
const sourcePlaces: BunPlugin = {
  name: "source places",
  setup({ onLoad }) {
    onLoad({ filter: /\/server\/.*\.ts$/ }, ({ path }) => {
      const source = relative(root, path);
      const text = readFileSync(path, "utf8");
      if (threadFolders.has(dirname(source))) return { loader: "ts", contents: text };
      const place = `new URL(${JSON.stringify(`../${source}`)}, import.meta.url).href`;
      return { loader: "ts", contents: text.replaceAll("import.meta.url", place) };
    });
    // The runtime would name imported files by a path from the working folder.
    onLoad({ filter: /\.woff2$/ }, ({ path }) => ({
      loader: "js",
      contents: `import { fileURLToPath } from "node:url";
export default fileURLToPath(new URL(${JSON.stringify(`./${basename(path)}`)}, import.meta.url));`,
    }));
  },
};

/** Bundles the server into the folder; it may be moved. `command`: how users start the program. */
export async function bundleProgram(folder: string, command: string): Promise<void> {
  const { success, logs } = await Bun.build({
    target: "bun",
    format: "esm",
    splitting: true,
    root,
    outdir: folder,
    entrypoints: ["server/main.ts", ...serverThreads].map((path) => join(root, path)),
    // Threads are started under the names of their sources.
    naming: { entry: "[name].ts", chunk: "[name]-[hash].js" },
    define: { HOLDALL_COMMAND: JSON.stringify(command) },
    plugins: [sourcePlaces],
  });
  if (!success) throw new Error(`The server could not be bundled:\n${logs.join("\n")}`);
}
