// Puts the server, the built dashboard and the runtime into one executable, for machines without
// Node and npm: `bun scripts/executable.ts OUTPUT [TARGET RUNTIME]`, for another platform with the path of
// its runtime. Every module and file is mounted at its path in
// the repository, so `new URL("./thread.ts", import.meta.url)` works in both and no module knows
// whether it was built. It is not minified: that would save 1 % of the size and make stack traces
// useless.
import { dirname, join, relative } from "node:path";
import { moduleUrls } from "./module-urls.ts";
import { serverFiles } from "./server-files.ts";
import { serverThreads } from "./server-threads.ts";

const root = dirname(import.meta.dir);
const [output, target, runtime] = process.argv.slice(2);
if (output === undefined) throw new Error("Give the path of the executable to write.");

/** Where the runtime mounts the files of an executable. */
const MOUNT = "/$bunfs/root";

const entry = join(root, "server/executable.ts");
const withFiles = [
  ...serverFiles().map(
    (path) => `import ${JSON.stringify(join(root, path))} with { type: "file" };`,
  ),
  'import "./main.ts";',
].join("\n");

const { success, logs } = await Bun.build({
  target: "bun",
  // In chunks, so that each process and thread loads only what it needs: 5 MB less memory at rest.
  format: "esm",
  splitting: true,
  root,
  entrypoints: [entry, ...serverThreads.map((path) => join(root, path))],
  naming: { entry: "[dir]/[name].[ext]", asset: "[dir]/[name].[ext]" },
  // Settings of the runtime in the current folder belong to other programs.
  compile: {
    outfile: output,
    autoloadBunfig: false,
    ...(target === undefined || runtime === undefined
      ? {}
      : { target: target as Bun.Build.CompileTarget, executablePath: runtime }),
  },
  files: { [entry]: withFiles },
  // Files are mounted at the paths that they have in the source tree.
  plugins: [
    moduleUrls((path) => `file://${MOUNT}/${relative(root, path)}`, { [entry]: withFiles }),
  ],
});
for (const line of logs) console.error(line);
process.exitCode = success ? 0 : 1;
