import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Installs tarballs with npm into a new project in the folder, as a user without the repository does. */
export function npmInstall(
  folder: string,
  tarballs: readonly string[],
  options: readonly string[] = [],
): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  runInstaller(folder, "npm", [
    ...["install", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"],
    ...[...options, ...tarballs],
  ]);
}

/** Error: the installer fails; the message has its output. */
export function runInstaller(folder: string, program: string, args: readonly string[]): void {
  // npm gives its own settings to its children, such as those of the repository's `npm test`.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(?!config_(cache|registry)$)/.test(name)),
  );
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed:\n${stdout}${stderr}`);
}
