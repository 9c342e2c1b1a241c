// Bundles the server with bytecode into a folder: `bun scripts/bundle-server.ts FOLDER`. Tests start
// it hundreds of times, and a start takes half as long as from the sources. The program is
// `server/main.ts` in the folder; it reads the dashboard, pages and documents of this repository.
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { moduleUrls } from "./module-urls.ts";
import { serverThreads } from "./server-threads.ts";

const root = dirname(import.meta.dir);
const [output] = process.argv.slice(2);
if (output === undefined) throw new Error("Give the folder to write to.");

const startsThread = (path: string): boolean =>
  serverThreads.some((thread) => dirname(join(root, thread)) === dirname(path));

const { success, logs } = await Bun.build({
  target: "bun",
  format: "cjs",
  bytecode: true,
  root,
  outdir: output,
  // Imported files, such as the typeface: relative to the program, they would not be found.
  publicPath: `${resolve(output)}/`,
  entrypoints: ["server/main.ts", ...serverThreads].map((path) => join(root, path)),
  // Threads are started under the names of their sources.
  naming: { entry: "[dir]/[name].ts" },
  plugins: [
    moduleUrls((path) =>
      String(pathToFileURL(startsThread(path) ? join(output, relative(root, path)) : path)),
    ),
  ],
});
for (const line of logs) console.error(line);
process.exitCode = success ? 0 : 1;
