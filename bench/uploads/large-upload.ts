import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Figure, median } from "../figure.ts";
import type { PageCache } from "../page-cache.ts";
import type { RunLength } from "../run-length.ts";
import { API_KEY, type ServerProcess } from "../server-process.ts";
import { FORM_TYPE, formAround } from "./form.ts";

const GB = 1024 ** 3;
/** What the server and the disk need to give a file's space and memory back. */
const REMOVAL_MS = 1500;
const CHUNK = new Uint8Array(1024 * 1024).map((_, index) => (index * 31) ^ (index >> 8));

/** Uploads a form with a file of 1 GB; `dd` writes and syncs the same bytes. */
export async function largeUpload(
  server: ServerProcess,
  { runs }: RunLength,
  pageCache: PageCache,
): Promise<Figure[]> {
  const form = join(server.dataPath, "form");
  const copy = join(server.dataPath, "copy");
  const ours: number[] = [];
  const theirs: number[] = [];
  const cpu: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const name = `large-${run}.bin`;
    await writeForm(form, name);
    pageCache.fill();
    theirs.push(await seconds(() => dd(form, copy)));
    rmSync(copy);
    await Bun.sleep(REMOVAL_MS);
    pageCache.fill();
    const before = server.cpu();
    ours.push(await seconds(() => sendForm(server.url, form)));
    cpu.push(server.cpu() - before);
    await removeFile(server, name);
  }
  rmSync(form);
  const [our, their] = [median(ours), median(theirs)];
  return [
    {
      what: "1 GB upload, speed compared with dd and fsync",
      value: their / our,
      unit: "×",
      bar: 0.8,
      atLeast: true,
      note: `${(1 / our).toFixed(2)} GB/s and ${(median(cpu) / 1000).toFixed(1)} s CPU | dd ${(1 / their).toFixed(2)} GB/s`,
    },
  ];
}

/** Writes a form with a file of 1 GB. Returns where its content starts. */
export async function writeForm(path: string, name: string): Promise<number> {
  const { head, tail } = formAround(name);
  const file = Bun.file(path).writer();
  file.write(head);
  for (let written = 0; written < GB; written += CHUNK.length) {
    file.write(CHUNK);
    await file.flush();
  }
  file.write(tail);
  await file.end();
  return Buffer.byteLength(head);
}

/** To be called after each upload, so that the next one finds as much free memory and space. */
export async function removeFile({ url }: ServerProcess, key: string): Promise<void> {
  const headers = { "API-Key": API_KEY, "Content-Type": "application/json" };
  const found = await (await fetch(`${url}/api/files?key=${key}`, { headers })).json();
  const body = JSON.stringify({ id: found.data.file.id });
  const response = await fetch(`${url}/api/files`, { method: "DELETE", headers, body });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  await Bun.sleep(REMOVAL_MS);
}

async function dd(from: string, to: string): Promise<void> {
  const args = ["dd", `if=${from}`, `of=${to}`, "bs=1M", "conv=fsync", "status=none"];
  if ((await Bun.spawn(args).exited) !== 0) throw new Error("dd failed");
}

export async function sendForm(url: string, form: string): Promise<void> {
  const response = await fetch(`${url}/api/files`, {
    method: "POST",
    headers: { "API-Key": API_KEY, "Content-Type": FORM_TYPE },
    body: Bun.file(form),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
}

async function seconds(workload: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await workload();
  return (performance.now() - started) / 1000;
}
