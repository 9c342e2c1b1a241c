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
/** The Range header determines how the body is read: completely, from an offset, or as a stream. */
const RANGES = ["", "bytes=5-", "bytes = 0-1"];
const CALLS = ["read", "pread64", "sendfile"];
const NTHS = [1, 2, 3];

/** A blob cannot be read: no response may look complete. */
export async function failReads(scale: Scale): Promise<Row> {
  const results = createResultCounter("read errors, delivery");
  const folder = temporaryFolder();
  const server = await startServer(join(folder, "data"), { env: { LOG_LEVEL: "silent" } });
  let inventory = emptyInventory;
  let hits = 0;
  try {
    const files: { url: string; blob: string; content: Uint8Array }[] = [];
    for (const size of SIZES) {
      const content = seededBytes(size, size);
      const { id, key, url } = await api(server).put(`size-${size}.bin`, content);
      const stored = { id, visibility: "public", size, digest: digestOf(content) } as const;
      inventory = withFile(inventory, key, stored);
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
      else if (outcome !== "complete") results.problem(`${what}: ${outcome}`);
      const wasHit = trace.calls().length >= one.nth;
      if (outcome === "complete" && wasHit) results.problem(`${what}: complete despite the error`);
      await trace.detach();
      results.count(what, await checkServer(server, inventory));
    }
    if (hits === 0) results.problem("No read failed.");
    return results.row(`${hits} deliveries met an error`);
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

/** "complete", "refused", or what is wrong with the response. */
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
    ? "complete"
    : `status ${answer.status} with ${answer.bytes.length} bytes that are not the file's`;
}
