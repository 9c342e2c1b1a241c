import { type Figure, median } from "../figure.ts";
import { load } from "../load.ts";
import type { RunLength } from "../run-length.ts";
import { API_KEY, type ServerProcess } from "../server-process.ts";

const UPLOADS_PER_SECOND = 100;
const READERS = 4;
const BYTES = "x".repeat(4096);

/** Read latency during a hundred uploads a second, compared with an idle server. */
export async function tail(server: ServerProcess, { runs, seconds }: RunLength): Promise<Figure[]> {
  await upload(server, "read.txt");
  await readsFor(server, 1);
  const idle: number[] = [];
  const busy: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    idle.push(await readsFor(server, seconds));
    const uploading = uploadFor(server, `tail-${run}`, seconds);
    busy.push(await readsFor(server, seconds));
    await uploading;
  }
  const [before, meanwhile] = [median(idle), median(busy)];
  return [
    {
      what: "p99 of reads during 100 uploads a second, compared with idle",
      value: meanwhile / before,
      unit: "×",
      bar: 3,
      note: `${meanwhile.toFixed(2)} ms | idle ${before.toFixed(2)} ms`,
    },
  ];
}

/** p99 in milliseconds, measured by a separate process: this one is busy with uploads. */
async function readsFor({ url }: ServerProcess, seconds: number): Promise<number> {
  const lines = [{ path: "/api/hosting/read.txt" }];
  const { p99 } = await load(url, lines, { connections: READERS, seconds });
  return p99;
}

async function uploadFor(server: ServerProcess, name: string, seconds: number): Promise<void> {
  const started = performance.now();
  const all: Promise<void>[] = [];
  for (let number = 0; number < seconds * UPLOADS_PER_SECOND; number += 1) {
    const due = started + (number * 1000) / UPLOADS_PER_SECOND;
    if (due > performance.now()) await Bun.sleep(due - performance.now());
    all.push(upload(server, `${name}-${number}.txt`));
  }
  await Promise.all(all);
}

async function upload({ url }: ServerProcess, name: string): Promise<void> {
  const form = new FormData();
  form.append("files", new File([BYTES], name));
  const headers = { "API-Key": API_KEY };
  const response = await fetch(`${url}/api/files`, { method: "POST", headers, body: form });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}
