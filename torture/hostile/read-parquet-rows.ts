import { readFileSync } from "node:fs";
import { join } from "node:path";
import { api } from "../../test/client.ts";
import { requirePackages } from "../require-tool.ts";
import type { ServerProcess } from "../server-process.ts";
import type { ClientResult, ClientSetup } from "./client-setup.ts";
import { headerOf, startRecordingProxy } from "./recording-proxy.ts";
import { runClient } from "./run-client.ts";

const VERSION = "0.26.1";
const SCRIPT = new URL("parquet-with-polars.mjs", import.meta.url).pathname;

/** Where in the table the reads start, as fractions of its rows. */
const POSITIONS = [0, 0.37, 0.62, 0.99] as const;
const ROWS_READ = 40;
/** The approximate compressed size of a row. */
const ROW_BYTES = 16;

/**
 * Reads some rows of a Parquet file with Polars, which fetches the footer and then only the needed
 * columns, as several ranges at once.
 */
export async function readParquetRows(
  server: ServerProcess,
  setup: ClientSetup,
): Promise<ClientResult> {
  const { folder, size, commandPrefix = [] } = setup;
  const rows = Math.floor(size / ROW_BYTES);
  const table = join(folder, "table.parquet");
  const script = [process.execPath, SCRIPT, installPolars()];
  const written = await runClient([...script, "write", table, String(rows)]);
  if (written.code !== 0) throw new Error(`Polars did not write the table: ${written.stderr}`);
  const bytes = readFileSync(table);
  const stored = await api(server).put(`clients/${crypto.randomUUID()}.parquet`, bytes);
  const problems: string[] = [];
  let [lost, ranges, maxRead] = [0, 0, 0];
  for (const position of POSITIONS) {
    const from = Math.floor((rows - ROWS_READ) * position);
    const read = (source: string) => [
      ...[...script, "read", source],
      ...[String(from), String(from + ROWS_READ)],
    ];
    const proxy = await startRecordingProxy(setup.url);
    try {
      const remote = await runClient([...commandPrefix, ...read(`${proxy.url}/${stored.url}`)]);
      const local = await runClient(read(table));
      if (remote.code !== 0)
        problems.push(`Reading from row ${from} exited with ${remote.code}: ${remote.stderr}`);
      else if (remote.stdout !== local.stdout || !local.stdout.includes(`"id":${from},`)) {
        lost += 1;
        problems.push(`Reading from row ${from} returned other rows.`);
      }
      ranges += proxy.requestHeads.filter((head) => headerOf(head, "range") !== null).length;
      maxRead = Math.max(maxRead, proxy.responseBytes());
    } finally {
      proxy.close();
    }
  }
  if (ranges <= POSITIONS.length) problems.push(`Polars requested only ${ranges} ranges.`);
  const megabytes = `at most ${(maxRead / 1e6).toFixed(1)} of ${(bytes.length / 1e6).toFixed(1)} MB read`;
  return { tries: POSITIONS.length, lost, problems, note: `${ranges} ranges, ${megabytes}` };
}

/** Installs Polars, whose native library is a separate package, and returns its folder. */
function installPolars(): string {
  const packages = ["nodejs-polars", `nodejs-polars-linux-${process.arch}-gnu`];
  const modules = requirePackages(
    "polars",
    packages.map((name) => `${name}@${VERSION}`),
  );
  return join(modules, "nodejs-polars");
}
