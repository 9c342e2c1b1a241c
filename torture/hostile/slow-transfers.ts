import { hasS3Server, s3Server } from "../../server/blobs/s3/s3-server.fixture.ts";
import { api } from "../../test/client.ts";
import {
  readNothing,
  readsFor,
  sendSlowly,
  slowRequests,
} from "../../test/hostile/slow-transfers.ts";
import { startS3Server } from "../../test/s3-api/s3-server.fixture.ts";
import { s3Environment } from "../../test/s3-environment.ts";
import { requireTool } from "../require-tool.ts";
import type { Row, Scale, Trial } from "../trial.ts";

/** Slow uploads and slow readers are never cut; readers that stop are, after two to five minutes. */
export const slowTransfers: Trial = {
  name: "slow-transfers",
  run: async (scale) => {
    requireTool("curl");
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
const MAX_STOPPED_SECONDS = 300;

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
  const ways = ["", "?download=1"];
  try {
    const large = await api(server).put("large.bin", Buffer.alloc(FILE_BYTES, 120));
    const stopped = ways.map((query) => readNothing(server.port, `/${large.url}${query}`));
    const slow = ways.map(async (query) => {
      const isOpen = await readsFor(seconds, `${server.url}/${large.url}${query}`, 1000);
      if (!isOpen) problems.push("A slow reader was cut.");
    });
    await Promise.all(slow);
    for (const reader of seconds > MAX_STOPPED_SECONDS ? stopped : []) {
      if ((await reader.finish()) > FILE_BYTES) problems.push("A stopped reader was not ended.");
    }
    for (const reader of stopped) reader.discard();
  } finally {
    await server.discard();
  }
  const fault = `readers at 1 KB/s, and stopped ones, from ${store} for ${seconds} s`;
  return { fault, tries: 2 * ways.length, lost: 0, leftovers: 0, problems };
}
