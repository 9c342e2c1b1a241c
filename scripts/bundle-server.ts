// Bundles the server: `bun scripts/bundle-server.ts FOLDER [PLACE]` writes into a folder, which is moved to the
// place before it runs. The program is `server/main.ts` there; it reads the dashboard, pages and documents of this
// repository. A start takes half as long as from the sources. `--bytecode`: for tests, which start it hundreds
// of times. It starts faster, and takes more memory.
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { moduleUrls } from "./module-urls.ts";
import { serverThreads } from "./server-threads.ts";

const root = dirname(import.meta.dir);
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { bytecode: { type: "boolean", default: false } },
});
const [output, place = output] = positionals;
if (output === undefined || place === undefined) throw new Error("Give the folder to write to.");

/**
 * Chunks leave out what a process does not need; with bytecode, the runtime supports none. Without source maps, which
 * take 2 MB as soon as a garbage collection finds an error: names and the comments before each module are kept.
 */
const format = values.bytecode
  ? ({ format: "cjs", bytecode: true } as const)
  : ({ format: "esm", splitting: true } as const);

const startsThread = (path: string): boolean =>
  serverThreads.some((thread) => dirname(join(root, thread)) === dirname(path));

const { success, logs } = await Bun.build({
  target: "bun",
  ...format,
  root,
  outdir: output,
  // Imported files, such as the typeface: relative to the program, they would not be found.
  publicPath: `${resolve(place)}/`,
  entrypoints: ["server/main.ts", ...serverThreads].map((path) => join(root, path)),
  // Threads are started under the names of their sources.
  naming: { entry: "[dir]/[name].ts" },
  plugins: [
    moduleUrls((path) =>
      String(pathToFileURL(startsThread(path) ? join(place, relative(root, path)) : path)),
    ),
  ],
});
for (const line of logs) console.error(line);
process.exitCode = success ? 0 : 1;
