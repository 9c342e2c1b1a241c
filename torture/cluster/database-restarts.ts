import type { StopOfPostmaster } from "../../server/catalog/postgres/postmaster.fixture.ts";
import { between } from "../dice.ts";
import type { Row, Scale } from "../trial.ts";
import { createClusterBed } from "./cluster-bed.ts";
import { disturbDatabase } from "./disturb-database.ts";

const WAYS: readonly StopOfPostmaster[] = ["fast", "killed", "immediate"];

/** PostgreSQL is stopped, crashed and killed under load, and started again; our servers are not. */
export async function databaseRestarts(scale: Scale): Promise<Row> {
  const bed = await createClusterBed();
  const rounds = scale.tries(10, 2);
  try {
    return await disturbDatabase(bed, {
      fault: "PostgreSQL stopped or killed, and started again, under load",
      tries: rounds,
      isShort: scale.tries(0, 1) === 1,
      async act(trouble) {
        for (let round = 0; round < rounds; round += 1) {
          await Bun.sleep(between(1_000, 3_000));
          trouble.begins();
          await bed.primary.stop(WAYS[round % WAYS.length] ?? "fast");
          await Bun.sleep(between(0, scale.tries(4_000, 1_000)));
          await bed.primary.start();
          await trouble.ended();
          scale.progress(`${round + 1} restarts`);
        }
      },
    });
  } finally {
    await bed.discard();
  }
}
