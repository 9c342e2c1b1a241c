import { readdirSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..");

/** The files that the server reads at runtime in addition to its modules, by their paths in the repository. */
export const serverFiles = (): string[] => [
  ...["dashboard/dist", "server/http/links/pages/styles", "server/http/pages/styles"].flatMap(
    (folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
  ),
  "contract/pictures/is-cut-off.ts",
  "server/http/links/pages/lightbox.js",
  "server/http/links/pages/stage.js",
  "server/http/links/pages/links.js",
  "server/http/pages/theme.js",
];
