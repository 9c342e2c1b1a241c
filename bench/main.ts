import { dashboard } from "./dashboard.ts";
import { delivery } from "./delivery/delivery.ts";
import { growth } from "./delivery/growth.ts";
import { fairness } from "./fairness/fairness.ts";
import { type Figure, figureLine } from "./figure.ts";
import { instances } from "./instances/instances.ts";
import { largeFile } from "./large-file.ts";
import { millionFiles } from "./million-files.ts";
import { peers } from "./peers/peers.ts";
import { photos } from "./photos.ts";
import type { RunLength } from "./run-length.ts";
import { s3 } from "./s3/s3.ts";
import { signedFolder } from "./signed-folder.ts";
import { sizes } from "./sizes.ts";
import { startAndRest } from "./start-and-rest.ts";
import { uploads } from "./uploads/uploads.ts";
import { zips } from "./zips/zips.ts";

const benches: Record<string, (runLength: RunLength) => AsyncIterable<Figure>> = {
  start: startAndRest,
  sizes,
  large: largeFile,
  million: millionFiles,
  dashboard,
  photos,
  delivery,
  signed: signedFolder,
  uploads,
  zips,
  fairness,
  s3,
  peers,
  growth,
  instances,
};

const args = process.argv.slice(2);
const runLength: RunLength = args.includes("--short")
  ? { runs: 1, seconds: 1 }
  : { runs: 5, seconds: 4 };
const wanted = args.filter((arg) => arg !== "--short");
const unknown = wanted.find((name) => !(name in benches));
if (unknown !== undefined) {
  console.error(`There is no bench "${unknown}": choose among ${Object.keys(benches).join(", ")}.`);
  process.exit(2);
}

let missed = 0;
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for await (const figure of bench(runLength)) {
    const { line, missed: isMissed } = figureLine(figure);
    if (isMissed) missed += 1;
    console.log(line);
  }
}
process.exitCode = missed === 0 ? 0 : 1;
