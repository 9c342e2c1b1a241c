import { readFileSync } from "node:fs";
import { join } from "node:path";
import { api } from "../../test/client.ts";
import { requirePackages } from "../require-tool.ts";
import type { ServerProcess } from "../server-process.ts";
import type { ClientResult, ClientSetup } from "./client-setup.ts";
import { fieldOf, startRecordingProxy } from "./recording-proxy.ts";
import { runClient } from "./run-client.ts";

const VERSION = "0.26.1";
const SCRIPT = new URL("parquet-with-polars.mjs", import.meta.url).pathname;

/** The rows to read, of a table of this many bytes. */
const SHARES = [0, 0.37, 0.62, 0.99] as const;
const ROWS_READ = 40;
/** Compressed bytes per row. */
const ROW_BYTES = 16;

/**
 * Polars reads some rows of a Parquet file: the footer with the offsets, then the columns that it
 * needs, with several ranges at once.
 */
export async function readParquetRows(
  server: ServerProcess,
  setup: ClientSetup,
): Promise<ClientResult> {
  const { folder, size, commandPrefix = [] } = setup;
  const polars = needPolars();
  const rows = Math.floor(size / ROW_BYTES);
  const table = join(folder, "table.parquet");
  const script = [process.execPath, SCRIPT, polars];
  const made = await runClient([...script, "make", table, String(rows)]);
  if (made.code !== 0) throw new Error(`No table could be made: ${made.stderr}`);
  const bytes = readFileSync(table);
  const stored = await api(server).put(`clients/${crypto.randomUUID()}.parquet`, bytes);
  const problems: string[] = [];
  let [lost, ranges, read] = [0, 0, 0];
  for (const share of SHARES) {
    const from = Math.floor((rows - ROWS_READ) * share);
    const ask = (place: string) => [
      ...[...script, "read", place],
      ...[String(from), String(from + ROWS_READ)],
    ];
    const proxy = await startRecordingProxy(setup.url);
    try {
      const there = await runClient([...commandPrefix, ...ask(`${proxy.url}/${stored.url}`)]);
      const here = await runClient(ask(table));
      if (there.code !== 0) problems.push(`From row ${from}, ${there.code}: ${there.stderr}`);
      else if (there.stdout !== here.stdout || !here.stdout.includes(`"id":${from},`)) {
        lost += 1;
        problems.push(`From row ${from} on there is something else.`);
      }
      ranges += proxy.heads.filter((head) => fieldOf(head, "range") !== null).length;
      read = Math.max(read, proxy.passed());
    } finally {
      proxy.close();
    }
  }
  if (ranges <= SHARES.length) problems.push(`Only ${ranges} ranges were asked for.`);
  const megabytes = `${(read / 1e6).toFixed(1)} of ${(bytes.length / 1e6).toFixed(1)} MB read at most`;
  return { tries: SHARES.length, lost, problems, note: `${ranges} ranges, ${megabytes}` };
}

/** The folder with Polars and its native package for this machine. */
function needPolars(): string {
  const packages = ["nodejs-polars", `nodejs-polars-linux-${process.arch}-gnu`];
  const modules = requirePackages(
    "polars",
    packages.map((name) => `${name}@${VERSION}`),
  );
  return join(modules, "nodejs-polars");
}
