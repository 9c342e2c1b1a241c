import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeSize, makeArtifacts, writeChecksums } from "./artifacts.ts";
import { root } from "./root.ts";
import { trialsOf } from "./trial/trials.ts";

// Makes all artifacts of a release in dist/release, tries each, and publishes the npm packages unless `--dry-run`
// is given.

const isDryRun = process.argv.includes("--dry-run");
const output = join(root, "dist/release");
const work = mkdtempSync(join(tmpdir(), "holdall-release-"));
// Another user runs what is in it.
chmodSync(work, 0o755);
let failures = 0;
try {
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const artifacts = await makeArtifacts(output, join(work, "made"));
  const { holdall, sdk, react, cli, files } = artifacts;
  for (const each of [holdall, sdk, react, cli, ...files]) console.log(describeSize(each));
  writeChecksums(output, files);

  for (const { title, run } of trialsOf(artifacts, join(work, "trials"))) {
    const from = performance.now();
    const result = await run().catch((error: unknown) => {
      failures += 1;
      return `FAILED: ${String(error)}`;
    });
    const seconds = ((performance.now() - from) / 1000).toFixed(1);
    console.log(`${seconds.padStart(6)} s  ${title}: ${result}`);
  }
  if (failures === 0 && !isDryRun) {
    // The SDK and the commands first: whoever reads of the new version can then install all of it.
    for (const { path } of [sdk, react, cli, holdall]) publish(path);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
console.log(`\n${failures === 0 ? "All artifacts work" : `${failures} trials failed`}: ${output}`);
process.exit(failures === 0 ? 0 : 1);

function publish(tarball: string): void {
  const args = ["publish", "--provenance", "--access=public", tarball];
  const { status } = spawnSync("npm", args, { stdio: "inherit" });
  if (status !== 0) throw new Error(`${tarball} was not published.`);
}
