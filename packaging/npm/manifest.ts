import { writeFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };

export { manifest };

/** The fields of a `package.json` that not all packages share. */
interface PackageManifest {
  readonly name: string;
  readonly [field: string]: unknown;
}

/** Variables of the release job. */
type Environment = Readonly<Record<string, string | undefined>>;

/** Writes the `package.json` of a package to publish, with what all of them have in common. */
export function writeManifest(
  folder: string,
  own: PackageManifest,
  env: Environment = process.env,
): void {
  const { version, license, engines } = manifest;
  const { name, ...others } = own;
  const all = { name, ...others, version, license, ...repositoryOf(env), type: "module", engines };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(all, null, 2)}\n`);
}

/** npm refuses a package whose repository is not the one in its provenance. */
function repositoryOf({ GITHUB_SERVER_URL, GITHUB_REPOSITORY }: Environment) {
  if (GITHUB_SERVER_URL === undefined || GITHUB_REPOSITORY === undefined) return {};
  const url = `git+${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git`;
  return { repository: { type: "git", url } };
}
