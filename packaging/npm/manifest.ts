import { writeFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };

export { manifest };

/** The fields of a `package.json` that not all packages share. */
interface PackageManifest {
  readonly name: string;
  readonly [field: string]: unknown;
}

/** Writes the `package.json` of a package to publish, with what all of them have in common. */
export function writeManifest(folder: string, own: PackageManifest): void {
  const { version, license, engines } = manifest;
  const { name, ...others } = own;
  const all = { name, ...others, version, license, type: "module", engines };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(all, null, 2)}\n`);
}
