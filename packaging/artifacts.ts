import { createHash } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { makeDeb } from "./deb/make-deb.ts";
import { makeExecutable, packExecutable } from "./executables/make-executable.ts";
import { isThisPlatform, platforms } from "./executables/platforms.ts";
import { writeCliPackage } from "./npm/cli-package.ts";
import { writeHoldallPackage } from "./npm/holdall-package.ts";
import { manifest } from "./npm/manifest.ts";
import { pack } from "./npm/pack.ts";
import { writeReactPackage } from "./npm/react-package.ts";
import { writeSdkPackage } from "./npm/sdk-package.ts";

/** A file to publish. */
export interface Artifact {
  readonly path: string;
  /** The most that it may have. */
  readonly maxMegabytes: number;
}

export interface Artifacts {
  readonly holdall: Artifact;
  readonly sdk: Artifact;
  readonly react: Artifact;
  readonly cli: Artifact;
  /** Tarballs of executables and Debian packages. */
  readonly files: readonly Artifact[];
  /** The executable and the Debian package for this machine. */
  readonly executable: string;
  readonly deb: string | undefined;
}

/** Makes everything that a release publishes. `work`: for intermediate files. */
export async function makeArtifacts(output: string, work: string): Promise<Artifacts> {
  const folder = (name: string): string => join(work, name);
  await writeHoldallPackage(folder("holdall"));
  writeSdkPackage(folder("sdk"));
  await writeReactPackage(folder("react"));
  await writeCliPackage(folder("cli"));
  const files: Artifact[] = [];
  let executable = "";
  let deb: string | undefined;
  for (const platform of platforms) {
    const { name, debian } = platform;
    const program = makeExecutable(platform, folder(name));
    const tarball = join(output, `holdall-${manifest.version}-${name}.tar.gz`);
    packExecutable(folder(name), tarball);
    files.push({ path: tarball, maxMegabytes: 60 });
    if (isThisPlatform(platform)) executable = program;
    if (debian === undefined) continue;
    const path = join(output, `holdall_${manifest.version}_${debian}.deb`);
    makeDeb(program, debian, folder(`${name}-deb`), path);
    files.push({ path, maxMegabytes: 60 });
    if (isThisPlatform(platform)) deb = path;
  }
  return {
    holdall: { path: pack(folder("holdall"), output), maxMegabytes: 15 },
    sdk: { path: pack(folder("sdk"), output), maxMegabytes: 0.2 },
    react: { path: pack(folder("react"), output), maxMegabytes: 0.1 },
    cli: { path: pack(folder("cli"), output), maxMegabytes: 0.1 },
    files,
    executable,
    deb,
  };
}

/** Writes SHA256SUMS beside the files, for `sha256sum -c`. */
export function writeChecksums(output: string, artifacts: readonly Artifact[]): void {
  const lines = artifacts.map(({ path }) => {
    const digest = createHash("sha256").update(readFileSync(path)).digest("hex");
    return `${digest}  ${basename(path)}\n`;
  });
  writeFileSync(join(output, "SHA256SUMS"), lines.join(""));
}

/** A line with the size, as a bar of the most that it may have. Error: it has more. */
export function describeSize({ path, maxMegabytes }: Artifact): string {
  const megabytes = statSync(path).size / 1024 ** 2;
  const share = megabytes / maxMegabytes;
  const bar = "█".repeat(Math.max(1, Math.round(share * 20))).padEnd(20, "░");
  const line = `${bar} ${megabytes.toFixed(2).padStart(6)} of ${maxMegabytes} MB  ${basename(path)}`;
  if (share > 1) throw new Error(`Too large: ${line}`);
  return line;
}
