import type { StopOfPostmaster } from "../../server/catalog/postgres/postmaster.fixture.ts";
import { randomInt } from "../random.ts";
import type { Row, Scale } from "../trial.ts";
import { startCluster } from "./cluster.fixture.ts";
import { disturbDatabase } from "./disturb-database.ts";

const STOP_MODES: readonly StopOfPostmaster[] = ["fast", "killed", "immediate"];

/** Stops, crashes and kills PostgreSQL under load and restarts it. Our servers keep running. */
export async function databaseRestarts(scale: Scale): Promise<Row> {
  const cluster = await startCluster();
  const rounds = scale.tries(10, 2);
  try {
    return await disturbDatabase(cluster, {
      fault: "PostgreSQL stopped or killed and restarted, under load",
      tries: rounds,
      isShort: scale.tries(0, 1) === 1,
      async disturb(outage) {
        for (let round = 0; round < rounds; round += 1) {
          await Bun.sleep(randomInt(1_000, 3_000));
          outage.begins();
          await cluster.primary.stop(STOP_MODES[round % STOP_MODES.length] ?? "fast");
          await Bun.sleep(randomInt(0, scale.tries(4_000, 1_000)));
          await cluster.primary.start();
          await outage.ended();
          scale.progress(`${round + 1} restarts`);
        }
      },
    });
  } finally {
    await cluster.dispose();
  }
}
