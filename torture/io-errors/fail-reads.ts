import { join } from "node:path";
import { api, send } from "../../test/client.ts";
import { expectFault } from "../../test/expectations.ts";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { blobsOf } from "../../test/snapshot.ts";
import { checkServer } from "../check-server.ts";
import { errorInjectionArgs } from "../error-injection.ts";
import { digestOf, emptyInventory, withFile } from "../inventory.ts";
import { createResultCounter } from "../result-counter.ts";
import { sampleEvenly } from "../sample-evenly.ts";
import { seededBytes } from "../seeded-bytes.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import { attachTracer } from "../tracer.ts";
import type { Row, Scale } from "../trial.ts";

const SIZES = [10, 70_000, 1_000_000, 20_000_000];
/** How a body is asked for decides how it is read: whole, from a place on, or as a stream. */
const RANGES = ["", "bytes=5-", "bytes = 0-1"];
const CALLS = ["read", "pread64", "sendfile"];
const NTHS = [1, 2, 3];

/** A blob cannot be read: no answer may look whole. */
export async function failReads(scale: Scale): Promise<Row> {
  const tally = createResultCounter("read errors, delivery");
  const folder = temporaryFolder();
  const server = await startServer(join(folder, "data"), { env: { LOG_LEVEL: "silent" } });
  let holdings = emptyInventory;
  let hits = 0;
  try {
    const files: { url: string; blob: string; content: Uint8Array }[] = [];
    for (const size of SIZES) {
      const content = seededBytes(size, size);
      const { id, key, url } = await api(server).put(`size-${size}.bin`, content);
      const held = { id, visibility: "public", size, digest: digestOf(content) } as const;
      holdings = withFile(holdings, key, held);
      const blob = blobsOf(server.dataPath).find((found) => found.endsWith(` ${size}`));
      files.push({ url, content, blob: join(server.dataPath, "blobs", blob?.split(" ")[0] ?? "") });
    }
    const cases = files.flatMap((file) =>
      RANGES.flatMap((range) =>
        CALLS.flatMap((call) => NTHS.map((nth) => ({ ...file, range, call, nth }))),
      ),
    );
    for (const one of sampleEvenly(cases, scale.tries(cases.length, 18))) {
      const what = `${one.call} ${one.nth} of ${one.content.length} bytes, Range "${one.range}"`;
      const trace = await attachTracer(
        server.pid,
        errorInjectionArgs({
          calls: [one.call],
          path: one.blob,
          error: "EIO",
          from: one.nth,
          every: 1,
        }),
      );
      const outcome = await deliver(server, one);
      if (outcome === "refused") hits += 1;
      else if (outcome !== "whole") tally.problem(`${what}: ${outcome}`);
      const wasHit = trace.calls().length >= one.nth;
      if (outcome === "whole" && wasHit) tally.problem(`${what}: whole all the same`);
      await trace.detach();
      tally.count(what, await checkServer(server, holdings));
    }
    if (hits === 0) tally.problem("No read was made to fail.");
    return tally.row(`${hits} deliveries met an error`);
  } finally {
    await server.kill();
    removeFolder(folder);
  }
}

interface Wanted {
  readonly url: string;
  readonly range: string;
  readonly content: Uint8Array;
}

/** "whole", "refused", or what was wrong with the answer. */
async function deliver(server: ServerProcess, { url, range, content }: Wanted): Promise<string> {
  const answer = await send(server, "GET", `/${url}`, range === "" ? {} : { Range: range }).catch(
    () => null,
  );
  if (answer === null) return "refused";
  if (answer.status >= 500) {
    expectFault(answer, answer.status);
    return "refused";
  }
  const wanted = answer.status === 206 ? content.subarray(5) : content;
  return Buffer.compare(answer.bytes, wanted) === 0
    ? "whole"
    : `status ${answer.status} with ${answer.bytes.length} bytes that are not the file's`;
}
