import { existsSync } from "node:fs";

/** The same folders as in `scripts/proxies.mjs`, which installs them. */
const FOLDERS = ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"];

/** The path of a program of the system; undefined: it is missing. */
export const installedProgram = (name: string): string | undefined =>
  FOLDERS.map((folder) => `${folder}/${name}`).find((path) => existsSync(path));
