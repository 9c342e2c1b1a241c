import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type Artifact, makeArtifacts } from "../packaging/artifacts.ts";
import { hookLimit, pageBytes, pageLimits } from "../packaging/npm/page-bytes.ts";
import { npmInstall } from "../packaging/trial/npm-install.ts";
import type { Figure } from "./figure.ts";

/** The sizes of everything that a release publishes, and of what pages load of the packages for browsers. */
export async function* sizes(): AsyncGenerator<Figure> {
  const folder = mkdtempSync(join(tmpdir(), "holdall-sizes-"));
  try {
    const output = join(folder, "output");
    mkdirSync(output);
    const artifacts = await makeArtifacts(output, join(folder, "work"));
    const { holdall, sdk, react, cli, files } = artifacts;
    for (const artifact of [holdall, sdk, react, cli, ...files]) yield packedSize(artifact);
    const project = join(folder, "project");
    npmInstall(project, [sdk.path, react.path]);
    for (const { lines, kilobytes } of [...pageLimits, hookLimit]) {
      const value = (await pageBytes(project, lines)) / 1024;
      yield { what: `A page with \`${lines}\``, value, unit: "KB", bar: kilobytes };
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const packedSize = ({ path, maxMegabytes }: Artifact): Figure => ({
  what: basename(path),
  value: statSync(path).size / 1024 ** 2,
  unit: "MB",
  bar: maxMegabytes,
});
