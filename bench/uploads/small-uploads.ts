import { closeSync, fsyncSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type Figure, median } from "../figure.ts";
import { load } from "../load.ts";
import type { RunLength } from "../run-length.ts";
import { API_KEY, type ServerProcess } from "../server-process.ts";
import { FORM_TYPE, formAround } from "./form.ts";

const CLIENTS = 32;
const BYTES = "x".repeat(4096);
/** More than a second's uploads. */
const UPLOADS_PER_SECOND = 5000;

/** Uploads files of 4 KB from 32 clients, each durable when acknowledged; compares with one thread
 * that writes and syncs the same files directly. */
export async function smallUploads(
  server: ServerProcess,
  { runs, seconds }: RunLength,
): Promise<Figure[]> {
  const rates: number[] = [];
  const byHand: number[] = [];
  const cpus: number[] = [];
  await uploadMany(server, "warm", 1);
  for (let run = 0; run < runs; run += 1) {
    byHand.push(writeByHand(join(server.dataPath, `by-hand-${run}`), seconds));
    const before = server.cpu();
    const { requests, took } = await uploadMany(server, `run-${run}`, seconds);
    rates.push(requests / took);
    cpus.push(((server.cpu() - before) * 1000) / requests);
  }
  const [rate, hand] = [median(rates), median(byHand)];
  return [
    {
      what: "4 KB uploads from 32 clients compared with one thread",
      value: rate / hand,
      unit: "×",
      bar: 5,
      atLeast: true,
      note: `${Math.round(rate)}/s | one thread ${Math.round(hand)}/s`,
    },
    { what: "4 KB uploads, CPU per upload", value: median(cpus), unit: "µs", bar: 250 },
  ];
}

async function uploadMany(server: ServerProcess, name: string, seconds: number) {
  const headers = [`API-Key: ${API_KEY}`, `Content-Type: ${FORM_TYPE}`];
  const lines = Array.from({ length: UPLOADS_PER_SECOND * seconds }, (_, number) => {
    const { head, tail } = formAround(`${name}-${number}.txt`);
    return { path: "/api/files", headers, body: head + BYTES + tail };
  });
  const done = await load(server.url, lines, { connections: CLIENTS, seconds });
  if (done.requests >= lines.length) throw new Error("The uploads used up all prepared names");
  if (done.refused > 0) throw new Error(`${done.refused} uploads were refused`);
  return { requests: done.requests, took: done.seconds };
}

/**
 * Files a second: create, write, fsync, fsync of the folder, one after the other. The files stay: ext4
 * skips recently freed inodes one by one, so removing them would slow down the next writer.
 */
function writeByHand(folder: string, seconds: number): number {
  mkdirSync(folder);
  const directory = openSync(folder, "r");
  const started = performance.now();
  let written = 0;
  while (performance.now() - started < seconds * 1000) {
    const file = openSync(join(folder, String(written)), "wx");
    writeSync(file, BYTES);
    fsyncSync(file);
    closeSync(file);
    fsyncSync(directory);
    written += 1;
  }
  const took = (performance.now() - started) / 1000;
  closeSync(directory);
  return written / took;
}
