// `node scripts/subset-font.mjs`: makes the typeface of all pages, server/http/pages/inter-latin.woff2, from that of the
// package, with the weights and features that they use: 27 KB instead of 48. Needs Python with fonttools and brotli.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./install.mjs";

const whole = "node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2";
const folder = mkdtempSync(join(tmpdir(), "holdall-font-"));
const light = join(folder, "light.woff2");

function run(...args) {
  const { status } = spawnSync("python3", ["-m", ...args], { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
run("fontTools.varLib.instancer", whole, "wght=400:600", "-o", light, "-q");
run(
  "fontTools.subset",
  light,
  "--unicodes=*",
  "--layout-features=kern,tnum,ccmp,locl,mark,mkmk",
  "--flavor=woff2",
  "--output-file=server/http/pages/inter-latin.woff2",
);
rmSync(folder, { recursive: true });
