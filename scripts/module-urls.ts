import { readFileSync } from "node:fs";
import type { BunPlugin } from "bun";

/**
 * Replaces `import.meta.url` in the server's modules, which find threads and files by their own
 * place: a bundle has only one place. `urlOf` gives the URL for a module's path; `virtual` has the
 * contents of modules that are not on disk.
 */
export function moduleUrls(
  urlOf: (path: string) => string,
  virtual: Readonly<Record<string, string>> = {},
): BunPlugin {
  return {
    name: "module URLs",
    setup({ onLoad }) {
      onLoad({ filter: /\/server\/.*\.ts$/ }, ({ path }) => {
        const source = virtual[path] ?? readFileSync(path, "utf8");
        const url = JSON.stringify(urlOf(path));
        return { loader: "ts", contents: source.replaceAll("import.meta.url", url) };
      });
    },
  };
}
