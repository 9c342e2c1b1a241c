import { dashboard } from "./dashboard.ts";
import type { Figure } from "./figure.ts";
import { largeFile } from "./large-file.ts";
import { millionFiles } from "./million-files.ts";
import { startAndRest } from "./start-and-rest.ts";

const benches: Record<string, () => Promise<Figure[]>> = {
  start: startAndRest,
  large: largeFile,
  million: millionFiles,
  dashboard,
};

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !(name in benches));
if (unknown !== undefined) {
  console.error(`There is no bench "${unknown}": choose among ${Object.keys(benches).join(", ")}.`);
  process.exit(2);
}

let missed = 0;
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const { what, value, unit, bar } of await bench()) {
    const within = bar === undefined || value <= bar;
    if (!within) missed += 1;
    const verdict = bar === undefined ? "" : `  ${within ? "within" : "MISSES"} ${bar} ${unit}`;
    console.log(
      `${what.padEnd(58)} ${value.toFixed(value < 10 ? 2 : 0).padStart(9)} ${unit}${verdict}`,
    );
  }
}
process.exitCode = missed === 0 ? 0 : 1;
