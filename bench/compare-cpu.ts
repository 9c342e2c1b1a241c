import { type Figure, median } from "./figure.ts";
import { load, type RequestLine } from "./load.ts";
import type { RunLength } from "./run-length.ts";

/** A server that is measured. */
interface Contender {
  readonly name: string;
  readonly url: string;
  /** Processor time used so far by all its processes, in milliseconds. */
  cpu(): number;
}

export interface CpuComparison<C extends Contender> {
  readonly what: string;
  /** Ours first. */
  readonly contenders: readonly C[];
  readonly connections: number;
  /** Upper bound of our processor time as a share of a peer's. */
  readonly bar: number;
  /** The requests of one turn, which repeat until its end. */
  readonly lines: (contender: C) => Promise<RequestLine[]> | RequestLine[];
}

/**
 * Puts the same load on each contender in turns, after a second that does not count. Returns the processor
 * time of a request as a share of each peer's, from the medians.
 */
export async function compareCpu<C extends Contender>(
  { what, contenders, connections, bar, lines: linesOf }: CpuComparison<C>,
  { runs, seconds }: RunLength,
): Promise<Figure[]> {
  const costs = new Map(contenders.map(({ name }) => [name, [] as number[]]));
  for (let run = 0; run <= runs; run += 1) {
    for (const contender of contenders) {
      const lines = await linesOf(contender);
      const before = contender.cpu();
      const options = { connections, seconds: run === 0 ? 1 : seconds };
      const done = await load(contender.url, lines, options);
      if (done.refused > 0) throw new Error(`${contender.name}: ${done.refused} were refused`);
      const cost = ((contender.cpu() - before) * 1000) / done.requests;
      if (run > 0) costs.get(contender.name)?.push(cost);
    }
  }
  const [ours = Number.NaN, ...theirs] = [...costs].map(([, each]) => median(each));
  return contenders.slice(1).map(({ name }, index) => {
    const their = theirs[index] ?? Number.NaN;
    const note = `${ours.toFixed(0)} µs | ${their.toFixed(0)} µs`;
    return {
      what: `${what}: CPU compared with ${name}`,
      value: ours / their,
      unit: "×",
      bar,
      note,
    };
  });
}
