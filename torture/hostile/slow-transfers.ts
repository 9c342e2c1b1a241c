import { hasS3Server, s3Server } from "../../server/blobs/s3/s3-server.fixture.ts";
import { api } from "../../test/client.ts";
import {
  type Reader,
  readSlowly,
  sendSlowly,
  slowRequests,
} from "../../test/hostile/slow-transfers.ts";
import { startS3Server } from "../../test/s3-api/s3-server.fixture.ts";
import { s3Environment } from "../../test/s3-environment.ts";
import type { Row, Scale, Trial } from "../trial.ts";

/** Slow uploads and slow readers are never cut; readers that stop are, after two to five minutes. */
export const slowTransfers: Trial = {
  name: "slow-transfers",
  run: async (scale) => {
    const rows = [slowUploads(scale), readers(scale, "the disk", {})];
    if (hasS3Server) {
      const env = s3Environment(await (await s3Server()).fresh());
      rows.push(readers(scale, "the S3 store", env));
    }
    return Promise.all(rows);
  },
};

const RATES = [1000, 4000, 12_000];
/** More than the kernel holds for a client. */
const FILE_BYTES = 40_000_000;

async function slowUploads(scale: Scale): Promise<Row> {
  const seconds = scale.tries(600, 20);
  const server = await startS3Server();
  const problems: string[] = [];
  let tries = 0;
  try {
    const uploads: Promise<void>[] = [];
    for (const rate of RATES) {
      const requests = await slowRequests(server, rate * seconds);
      for (const [kind, request] of Object.entries(requests)) {
        const sending = sendSlowly(server.port, request, rate).then((status) => {
          if (status !== 200 && status !== 204) problems.push(`${kind} at ${rate}: ${status}.`);
        });
        uploads.push(sending);
      }
    }
    tries = uploads.length;
    await Promise.all(uploads);
  } finally {
    await server.discard();
  }
  const fault = `uploads of every kind at 1, 4 and 12 KB/s for ${seconds} s`;
  return { fault, tries, lost: 0, leftovers: 0, problems };
}

async function readers(
  scale: Scale,
  store: string,
  env: Readonly<Record<string, string>>,
): Promise<Row> {
  const seconds = scale.tries(600, 20);
  const server = await startS3Server(env);
  const problems: string[] = [];
  const opened: Reader[] = [];
  try {
    const large = await api(server).put("large.bin", Buffer.alloc(FILE_BYTES, 120));
    const read = (path: string, rate: number): Reader => {
      const reader = readSlowly(server.port, path, rate);
      opened.push(reader);
      return reader;
    };
    const path = `/${large.url}`;
    const slow = [read(path, 1000), read(path, 1000)];
    const stopped = [read(path, 0), read(path, 0)];
    await Bun.sleep(seconds * 1000);
    for (const reader of slow) {
      await reader.finish();
      if (reader.received() < FILE_BYTES) problems.push(`A slow reader got ${reader.received()}.`);
    }
    for (const reader of seconds > 300 ? stopped : []) {
      await reader.finish();
      if (reader.received() > FILE_BYTES) problems.push("A reader that stopped was not ended.");
    }
  } finally {
    for (const reader of opened) reader.discard();
    await server.discard();
  }
  const fault = `readers at 1 KB/s, and stopped ones, from ${store} for ${seconds} s`;
  return { fault, tries: opened.length, lost: 0, leftovers: 0, problems };
}
