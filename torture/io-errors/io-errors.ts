import { failingSteps } from "../failing-steps.ts";
import { requireTool } from "../require-tool.ts";
import type { Row, Trial } from "../trial.ts";
import { failReads } from "./fail-reads.ts";
import { type ErrorScenario, failUploads } from "./fail-uploads.ts";

/**
 * The rates make about a fifth of the uploads meet an error. An upload makes one write and two
 * fsyncs for its blob, spread over two threads, and about thirty writes and one fsync for its
 * record, possibly shared with others. A failed fsync of the catalog ends the server, with all
 * uploads in progress.
 */
const SCENARIOS: readonly ErrorScenario[] = [
  {
    name: "write errors, blobs",
    threads: "Bun Pool",
    calls: ["pwrite64", "write"],
    from: 3,
    every: 5,
  },
  {
    name: "fsync errors, blobs",
    threads: "Bun Pool",
    calls: ["fsync", "fdatasync"],
    from: 3,
    every: 9,
  },
  { name: "write errors, catalog", threads: "Worker", calls: ["pwrite64"], from: 40, every: 97 },
  {
    name: "fsync errors, catalog",
    threads: "Worker",
    calls: ["fsync", "fdatasync"],
    from: 10,
    every: 10,
  },
];

/**
 * The disk returns errors: nothing is acknowledged that is not stored, and no incomplete response
 * looks complete.
 */
export const ioErrors: Trial = {
  name: "io-errors",
  async run(scale) {
    requireTool("strace");
    const rows: Row[] = [await failingSteps("EIO, each step", "EIO", 503)];
    for (const scenario of SCENARIOS) {
      rows.push(await failUploads(scenario, scale.tries(250, 48), scale));
    }
    return [...rows, await failReads(scale)];
  },
};
