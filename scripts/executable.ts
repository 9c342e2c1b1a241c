// Puts the server, the built dashboard and the runtime into one executable, for machines without
// Node and npm: `bun scripts/executable.ts OUTPUT`. Every module and file is mounted at its path in
// the repository, so `new URL("./thread.ts", import.meta.url)` works in both and no module knows
// whether it was built. It is not minified: that would save 1 % of the size and make stack traces
// useless.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const root = dirname(import.meta.dir);
const output = process.argv[2];
if (output === undefined) throw new Error("Give the path of the executable to write.");

/** Where the runtime mounts the files of an executable. */
const MOUNT = "/$bunfs/root";

/** Files that the server reads at runtime, in addition to its modules. */
const files = [
  ...readdirSync(join(root, "dashboard/dist")).map((name) => `dashboard/dist/${name}`),
  "docs/durability.md",
  "docs/security.md",
  "docs/scaling.md",
  "server/http/pages/holdall.css",
  "server/http/pages/theme.js",
];

/** Programs of their own, for threads. */
const threads = ["writer-thread.ts", "snapshot-thread.ts"];

const entry = join(root, "server/executable.ts");
const withFiles = [
  ...files.map((path) => `import ${JSON.stringify(join(root, path))} with { type: "file" };`),
  'import "./main.ts";',
].join("\n");

const { success, logs } = await Bun.build({
  target: "bun",
  root,
  entrypoints: [entry, ...threads.map((name) => join(root, "server/catalog/sqlite", name))],
  naming: { entry: "[dir]/[name].[ext]", asset: "[dir]/[name].[ext]" },
  compile: { outfile: output },
  files: { [entry]: withFiles },
  plugins: [
    {
      // Everything is mounted as it lies here, so modules find their files when they keep their
      // place.
      name: "places",
      setup({ onLoad }) {
        onLoad({ filter: /\/server\/.*\.ts$/ }, ({ path }) => {
          const source = path === entry ? withFiles : readFileSync(path, "utf8");
          const url = JSON.stringify(`file://${MOUNT}/${relative(root, path)}`);
          return { loader: "ts", contents: source.replaceAll("import.meta.url", url) };
        });
      },
    },
  ],
});
for (const line of logs) console.error(line);
process.exitCode = success ? 0 : 1;
