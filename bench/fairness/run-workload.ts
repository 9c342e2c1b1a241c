import { isWorkload, workloads } from "./workloads.ts";

/*
 * Runs one workload: `run-workload.ts NAME URL`. Once unmeasured, so that the server's code is
 * compiled; then it prints a line and repeats the workload for at least `MEASURED_MS`, or until the
 * workload has nothing left to do.
 */

const MEASURED_MS = 3000;

const [name = "", url = ""] = process.argv.slice(2);
if (!isWorkload(name)) throw new Error(`There is no workload "${name}".`);
await workloads[name](url);
console.log("warm");
for (const start = performance.now(); performance.now() - start < MEASURED_MS; ) {
  if ((await workloads[name](url)) === false) break;
}
