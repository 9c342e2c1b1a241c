import { isWorkload, workloads } from "./workloads.ts";

/* Runs one workload: `run-workload.ts NAME URL`. */

const [name = "", url = ""] = process.argv.slice(2);
if (!isWorkload(name)) throw new Error(`There is no workload "${name}".`);
await workloads[name](url);
