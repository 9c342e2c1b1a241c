import { type Figure, median } from "../figure.ts";
import { type Load, load, type RequestLine } from "../load.ts";
import type { RunLength } from "../run-length.ts";
import type { HostedFiles } from "./hosted-files.ts";
import type { Contender, Workload } from "./workload.ts";

/** Results of one contender: medians of its runs. */
export interface Measured {
  readonly name: string;
  /** Microseconds of processor time per request. */
  readonly cpu: number;
  readonly requestsPerSecond: number;
  readonly bytesPerSecond: number;
  /** Milliseconds of processor time per GB (10⁹ bytes). */
  readonly cpuPerGb: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

export interface Course {
  /** Called before each run. */
  readonly contenders: () => Promise<readonly Contender[]>;
  /** Runs before each contender's turn. */
  readonly before?: () => void;
}

/** Puts the same load on each contender in turns, several times. */
export async function measure(
  workload: Workload,
  { contenders, before: prepare }: Course,
  files: HostedFiles,
  { runs, seconds }: RunLength,
): Promise<Measured[]> {
  const results = new Map<string, Result[]>();
  for (let run = 0; run < runs; run += 1) {
    for (const contender of await contenders()) {
      prepare?.();
      const lines = await workload.lines(contender, files);
      await checkAnswer(contender, workload, lines[0]);
      const options = { connections: workload.connections, seconds, once: workload.cold ?? false };
      if (!options.once) await load(contender.url, lines, { ...options, seconds: 1 });
      const before = contender.cpu();
      const result = await load(contender.url, lines, options);
      const cpu = contender.cpu() - before;
      const refused = workload.status >= 400 ? result.requests - result.refused : result.refused;
      if (refused > 0)
        throw new Error(`${contender.name}: ${refused} responses had an unexpected status`);
      results.set(contender.name, [...(results.get(contender.name) ?? []), { ...result, cpu }]);
    }
  }
  return [...results].map(([name, each]) => mediansOf(name, each));
}

type Result = Load & { readonly cpu: number };

function mediansOf(name: string, results: readonly Result[]): Measured {
  const of = (value: (result: Result) => number): number => median(results.map(value));
  return {
    name,
    cpu: of(({ cpu, requests }) => (cpu * 1000) / requests),
    requestsPerSecond: of(({ requests, seconds }) => requests / seconds),
    cpuPerGb: of(({ cpu, bytes }) => (cpu * 1e9) / bytes),
    bytesPerSecond: of(({ bytes, seconds }) => bytes / seconds),
    p50: of(({ p50 }) => p50),
    p99: of(({ p99 }) => p99),
  };
}

async function checkAnswer(
  { name, url }: Contender,
  { what, status }: Workload,
  line: RequestLine | undefined,
): Promise<void> {
  const { path, headers: fields = [] } = line ?? { path: "/" };
  const headers = new Headers();
  for (const field of fields) {
    const colon = field.indexOf(": ");
    headers.set(field.slice(0, colon), field.slice(colon + 2));
  }
  const response = await fetch(url + path, { headers });
  await response.body?.cancel();
  if (response.status !== status) {
    throw new Error(`${name} answers "${what}" (${path}) with ${response.status}, not ${status}`);
  }
}

/** Compares the first contender with each of the others. */
export function figures(workload: Workload, [ours, ...peers]: readonly Measured[]): Figure[] {
  return peers.map((peer) => {
    const caddy = peer.name === "Caddy";
    const cpu = workload.figure === "cpu";
    const ratio = (value: (measured: Measured) => number): number =>
      ours === undefined ? Number.NaN : value(ours) / value(peer);
    const bar = caddy ? (workload.caddyBar ?? 0.5) : workload.bar;
    return cpu || caddy
      ? {
          what: `${workload.what}: CPU compared with ${peer.name}`,
          // Few large responses finish within a run, so count bytes.
          value: ratio((each) => (cpu ? each.cpu : each.cpuPerGb)),
          unit: "×",
          bar,
          note: [ours, peer].map(cpu ? cpuNote : throughputNote).join(" | "),
        }
      : {
          what: `${workload.what}: throughput compared with ${peer.name}`,
          value: ratio((each) => each.bytesPerSecond),
          unit: "×",
          bar,
          atLeast: true,
          note: [ours, peer].map(throughputNote).join(" | "),
        };
  });
}

function cpuNote(measured: Measured | undefined): string {
  if (measured === undefined) return "";
  const { name, cpu, requestsPerSecond, p50, p99 } = measured;
  const rate = Math.round(requestsPerSecond).toLocaleString("en");
  return `${name} ${cpu.toFixed(1)} µs, ${rate}/s, p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`;
}

const throughputNote = (measured: Measured | undefined): string =>
  `${measured?.name} ${((measured?.bytesPerSecond ?? 0) / 1e9).toFixed(2)} GB/s, ${measured?.cpuPerGb.toFixed(0)} ms CPU/GB`;
