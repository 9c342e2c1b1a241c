import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { serverThreads } from "../scripts/server-threads.ts";
import { root } from "./root.ts";

/** Shipped, but not as modules: a style sheet, a typeface, a worker as a file. */
const COPIED = ["@fontsource-variable/inter", "pdfjs-dist", "tailwindcss"];

const manifestSchema = z.looseObject({
  version: z.string(),
  license: z.string(),
});

interface Shipped {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** The text of its licence; null: the package has none. */
  readonly text: string | null;
}

/** The text of THIRD-PARTY.md: the packages whose code or files are shipped, with their licences. */
export async function thirdPartyText(): Promise<string> {
  const names = new Set([...(await bundledPackages()), ...COPIED]);
  const shipped = [...names].sort().map(describe);
  const rows = shipped.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`);
  const texts = Map.groupBy(shipped, ({ text }) => text);
  const sections = [...texts].flatMap(([text, packages]) =>
    text === null ? [] : [`## ${packages.map(({ name }) => name).join(", ")}`, fenced(text)],
  );
  return `${[
    "# Third-party software",
    "The server and the dashboard contain code or files of these packages. `npm run generate` writes this list from what the bundles contain.",
    ["| Package | Version | Licence |", "|---|---|---|", ...rows].join("\n"),
    runtimeText(),
    ...sections,
  ].join("\n\n")}\n`;
}

/** The executables, the image and the Debian package contain the runtime; the npm package depends on it. */
function runtimeText(): string {
  const { version, license } = describe("bun");
  return `The executables, the image and the Debian package also contain the runtime, Bun ${version} (${license}). It statically links JavaScriptCore of WebKit (LGPL 2) and other libraries, which the licence page of Bun's documentation lists with their licences. The npm package \`holdall\` contains no runtime: npm installs \`bun\` beside it.`;
}

/** The names of the packages with modules in the server's, the dashboard's or the commands' bundle. */
async function bundledPackages(): Promise<string[]> {
  const bundles = await Promise.all([
    inputsOf("bun", ["server/main.ts", ...serverThreads]),
    inputsOf("browser", ["dashboard/src/main.tsx", "dashboard/src/drop/drop-page.ts"]),
    inputsOf("node", ["packaging/npm/cli-main.ts"]),
  ]);
  return bundles.flat().flatMap((path) => {
    const [, name] = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
    return name === undefined ? [] : [name];
  });
}

async function inputsOf(target: "bun" | "browser" | "node", paths: readonly string[]) {
  const { success, logs, metafile } = await Bun.build({
    target,
    format: "esm",
    splitting: true,
    root,
    entrypoints: paths.map((path) => join(root, path)),
    define: { "process.env.NODE_ENV": '"production"' },
    metafile: true,
  });
  if (!success || metafile === undefined) throw new Error(logs.join("\n"));
  // Modules that the bundler left out have no bytes in any output.
  return Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? path : [])),
  );
}

function describe(name: string): Shipped {
  const folder = join(root, "node_modules", name);
  const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { version, license } = manifestSchema.parse(manifest);
  const files = existsSync(folder) ? readdirSync(folder).sort() : [];
  const file = files.find((each) => /^(licen[cs]e|copying|ofl)(\.|$)/i.test(each));
  const text = file === undefined ? null : readFileSync(join(folder, file), "utf8").trim();
  return { name, version, license, text };
}

/** Indented text could contain anything but a longer fence. */
const fenced = (text: string): string => `~~~~text\n${text.replaceAll("\r\n", "\n")}\n~~~~`;
