import { readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { fileBlob } from "../../runtime/files.ts";
import { escapeHtml } from "../../runtime/markup.ts";
import type { Asset, DashboardAssets } from "./dashboard-routes.ts";
import type { Guides } from "./guides.ts";

const BUILT = fileURLToPath(new URL("../../../dashboard/dist", import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

type Encodings = ReadonlyMap<string, readonly string[]>;

/**
 * Reads the built dashboard from its folder. Only the list of files is cached, until the next
 * build. `base` is the path of the public URL.
 */
export function createDashboardAssets(base: string): DashboardAssets {
  const list = join(BUILT, "files.json");
  let cached: { readonly files: Encodings; readonly modifiedAt: number } | undefined;

  let guides: { readonly files: Encodings; readonly read: Guides } | undefined;

  function files(): Encodings {
    const modifiedAt = statSync(list, { throwIfNoEntry: false })?.mtimeMs;
    if (modifiedAt === undefined) return new Map();
    if (cached?.modifiedAt !== modifiedAt) cached = { files: readList(list), modifiedAt };
    return cached.files;
  }

  const scriptName = (entry: string): string | undefined =>
    [...files().keys()].find(
      (name) =>
        name.startsWith(`${entry}-`) && /^[a-z0-9]+\.js$/.test(name.slice(entry.length + 1)),
    );

  return {
    guides() {
      const all = files();
      if (all.size === 0 || guides?.files === all) return guides?.read;
      const read: Pick<Guides, "guides" | "search"> = JSON.parse(
        readFileSync(join(BUILT, "docs.json"), "utf8"),
      );
      const script = scriptName("docs-page");
      guides = {
        files: all,
        read: {
          guides: read.guides,
          search: `app/${read.search}`,
          script: script === undefined ? undefined : `app/${script}`,
        },
      };
      return guides.read;
    },
    async page() {
      const file = fileBlob(join(BUILT, "index.html"));
      if (!(await file.exists())) return undefined;
      return (await file.text()).replaceAll("{{base}}", escapeHtml(base));
    },
    scriptName,
    file(name): Asset | undefined {
      const encodings = files().get(name);
      if (encodings === undefined) return undefined;
      const path = join(BUILT, name);
      const type = TYPES[extname(name)] ?? "application/octet-stream";
      return {
        type,
        identity: fileBlob(path, { type }),
        br: encodings.includes("br") ? fileBlob(`${path}.br`, { type }) : undefined,
        gzip: encodings.includes("gzip") ? fileBlob(`${path}.gz`, { type }) : undefined,
      };
    },
  };
}

function readList(path: string): Encodings {
  const list: Record<string, { encodings: string[] }> = JSON.parse(readFileSync(path, "utf8"));
  return new Map(Object.entries(list).map(([name, { encodings }]) => [name, encodings]));
}
