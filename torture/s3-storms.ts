import { join } from "node:path";
import { spawn } from "bun";
import { hasS3Server, type S3Server, s3Server } from "../server/blobs/s3/s3-server.fixture.ts";
import type { S3Settings } from "../server/blobs/s3/s3-settings.ts";
import { removeFolder, temporaryFolder } from "../test/harness.ts";
import { multipartUploadsIn, s3Environment } from "../test/s3-environment.ts";
import { storm } from "../test/s3-fault-storm.ts";
import { residentMemory } from "./process-state.ts";
import { startServer } from "./server-process.ts";
import { CannotRun, type Row, type Scale, type Trial } from "./trial.ts";

const CONCURRENCY = 16;
const MAX_GROWTH_MB = 64;
const MAX_SERVERS = 3;

/** An S3 store with every kind of failing response, and many concurrent uploads to it. */
export const s3Storms: Trial = { name: "s3", run };

async function run(scale: Scale): Promise<Row[]> {
  if (!hasS3Server) {
    throw new CannotRun(
      "Ceph's S3 server is needed: install radosgw, ceph-mon, ceph-osd and ceph-common.",
    );
  }
  const server = await s3Server();
  const seed = Math.floor(Math.random() * 1_000_000);
  const failing = await storm(await server.fresh(), scale.tries(5000, 300), seed);
  scale.progress(`${failing.requests} requests to S3, ${failing.faults} faults`);
  return [
    {
      fault: "a tenth of S3's responses: 500, reset, silence, cut",
      tries: failing.operations,
      lost: failing.lost.length,
      leftovers: failing.leftovers.length,
      problems: [...failing.lost, ...failing.leftovers, ...failing.problems].map(
        (problem) => `${problem} (seed ${seed})`,
      ),
      note: `${failing.faults} faults in ${failing.requests} requests, ${failing.refused} operations refused`,
    },
    await uploadWithLittleMemory(server, scale.tries(100, 20)),
  ];
}

/** On a busy machine the garbage collector is late, so that the least growth of a few servers counts. */
async function uploadWithLittleMemory(server: S3Server, megabytes: number): Promise<Row> {
  for (let tries = 1; ; tries += 1) {
    const { growth, ...row } = await uploadConcurrently(await server.fresh(), megabytes);
    if (growth <= MAX_GROWTH_MB || row.problems.length > 0) return row;
    if (tries === MAX_SERVERS) return { ...row, problems: [`The server grew by ${growth} MB.`] };
  }
}

/** Uploads files of this size concurrently and watches the server's memory. */
async function uploadConcurrently(
  settings: S3Settings,
  megabytes: number,
): Promise<Row & { readonly growth: number }> {
  const folder = temporaryFolder();
  const server = await startServer(join(folder, "data"), { env: s3Environment(settings) });
  const problems: string[] = [];
  let note = "";
  let growth = 0;
  try {
    const path = join(folder, "file.bin");
    await Bun.write(path, new Uint8Array(megabytes * 1024 ** 2).fill(7));
    await upload(server, path, "first.bin");
    await Bun.sleep(1000);
    const before = residentMemory(server.pid);
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, residentMemory(server.pid));
    }, 20);
    const from = performance.now();
    const names = Array.from({ length: CONCURRENCY }, (_, n) => `file-${n}.bin`);
    const statuses = await Promise.all(names.map((name) => upload(server, path, name)));
    clearInterval(watch);
    const seconds = (performance.now() - from) / 1000;
    growth = Math.round(peak - before);
    const speed = Math.round((CONCURRENCY * megabytes) / seconds);
    note = `memory +${growth} MB, ${speed} MB/s`;
    for (const status of statuses) if (status !== "200") problems.push(`An upload got ${status}.`);
    problems.push(
      ...(await multipartUploadsIn(settings)).map((id) => `The multipart upload ${id} is stale.`),
    );
  } finally {
    await server.stop();
    removeFolder(folder);
  }
  const fault = `${CONCURRENCY} uploads of ${megabytes} MiB to S3 at once`;
  return { fault, tries: CONCURRENCY, lost: 0, leftovers: 0, problems, note, growth };
}

/** Uploads with curl, which uses none of our memory. Resolves with the status. */
async function upload(
  server: { readonly url: string; readonly apiKey: string },
  path: string,
  name: string,
): Promise<string> {
  const curl = spawn(
    [
      ...["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", `API-Key: ${server.apiKey}`],
      ...["-F", `files=@${path};filename=${name}`, `${server.url}/api/files`],
    ],
    { stdout: "pipe", stderr: "ignore" },
  );
  return new Response(curl.stdout).text();
}
