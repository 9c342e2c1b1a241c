import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Figure, quantile } from "../figure.ts";
import { seed } from "../seed.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import { ADMIN, isWorkload, workloads } from "./workloads.ts";

const FOLDERS = 2000;
const FILES_PER_FOLDER = 100;

const MAX_P99_MS = 20;
const MAX_WAIT_MS = 50;

/** How long other requests wait during each workload, with 200,000 files. */
export async function* fairness(): AsyncGenerator<Figure> {
  const dataPath = mkdtempSync(join(tmpdir(), "holdall-bench-"));
  try {
    const { hostedKey } = await seed(dataPath, FOLDERS, FILES_PER_FOLDER);
    const server = await startServer({
      dataPath,
      env: {
        ADMIN_EMAIL: ADMIN.email,
        ADMIN_PASSWORD: ADMIN.password,
        OUTGOING_ALLOW: "127.0.0.1",
      },
    });
    try {
      for (const name of Object.keys(workloads)) {
        if (isWorkload(name)) yield* await waits(server, hostedKey, name);
      }
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(dataPath, { recursive: true });
  }
}

/** Reads a hosted file again and again while the workload runs in a process of its own. */
async function waits(
  { url }: ServerProcess,
  hostedKey: string,
  name: keyof typeof workloads,
): Promise<Figure[]> {
  const script = new URL("run-workload.ts", import.meta.url).pathname;
  const workload = Bun.spawn([process.execPath, script, name, url], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  // It prints one line: from then on, it is measured.
  await workload.stdout.getReader().read();
  let working = true;
  void workload.exited.then(() => {
    working = false;
  });
  const times: number[] = [];
  while (working) {
    const started = performance.now();
    const response = await fetch(`${url}/api/hosting/${hostedKey}`);
    if ((await response.text()) !== "hosted") throw new Error("A read was incomplete");
    times.push(performance.now() - started);
    await Bun.sleep(2);
  }
  if ((await workload.exited) !== 0) throw new Error(`The workload "${name}" failed`);
  const what = (figure: string): string => `During ${name}: other requests, ${figure}`;
  return [
    { what: what("p50"), value: quantile(times, 0.5), unit: "ms" },
    { what: what("p99"), value: quantile(times, 0.99), unit: "ms", bar: MAX_P99_MS },
    { what: what("longest wait"), value: Math.max(...times), unit: "ms", bar: MAX_WAIT_MS },
  ];
}
