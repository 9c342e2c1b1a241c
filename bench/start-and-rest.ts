import { type Figure, median } from "./figure.ts";
import { startServer } from "./server-process.ts";

const RUNS = 7;

/** Time from start to the first response, and memory when idle. */
export async function* startAndRest(): AsyncGenerator<Figure> {
  const first = await startServer();
  const cold = first.startMs;
  await first.stop();

  const starts: number[] = [];
  const rests: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const server = await startServer();
    starts.push(server.startMs);
    await Bun.sleep(3000);
    rests.push(server.memory());
    await server.stop();
  }
  yield { what: "First start to first response", value: cold, unit: "ms" };
  const start = median(starts);
  yield { what: "Start to first response, new data folder", value: start, unit: "ms", bar: 400 };
  yield { what: "Memory at rest", value: median(rests), unit: "MB", bar: 80 };
}
