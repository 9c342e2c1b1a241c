import { failingSteps } from "../failing-steps.ts";
import { requireTool } from "../require-tool.ts";
import type { Row, Trial } from "../trial.ts";
import { failReads } from "./fail-reads.ts";
import { type ErrorScenario, failUploads } from "./fail-uploads.ts";

/**
 * Chosen so that about a fifth of the uploads meets an error. An upload makes one write and two
 * fsyncs for its bytes, spread over two threads, and some thirty writes and one fsync for its
 * record, which it may share with others. A failed fsync of the catalog ends the server, and all
 * uploads under way with it.
 */
const SCENARIOS: readonly ErrorScenario[] = [
  {
    name: "write errors, bytes",
    threads: "Bun Pool",
    calls: ["pwrite64", "write"],
    from: 3,
    every: 5,
  },
  {
    name: "fsync errors, bytes",
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

/** The disk answers with errors: nothing is acknowledged that is not kept, nor sent that is not whole. */
export const ioErrors: Trial = {
  name: "io-errors",
  async run(scale) {
    requireTool("strace");
    const rows: Row[] = [await failingSteps("EIO, each step", "EIO", 500)];
    for (const scenario of SCENARIOS) {
      rows.push(await failUploads(scenario, scale.tries(250, 48), scale));
    }
    return [...rows, await failReads(scale)];
  },
};
