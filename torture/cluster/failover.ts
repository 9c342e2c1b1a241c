import { Client } from "pg";
import type { Row, Scale } from "../trial.ts";
import { startCluster } from "./cluster.fixture.ts";
import { disturbDatabase } from "./disturb-database.ts";

/**
 * Kills PostgreSQL's primary under load, promotes its synchronous standby and moves the address
 * there. Our servers keep running.
 */
export async function failover(scale: Scale): Promise<Row> {
  const cluster = await startCluster("with a standby");
  const { primary, standby, relay } = cluster;
  if (standby === undefined) throw new Error("There is no standby.");
  try {
    return await disturbDatabase(cluster, {
      fault: "PostgreSQL's primary killed under load, standby promoted",
      tries: 1,
      isShort: scale.tries(0, 1) === 1,
      async disturb(outage) {
        await Bun.sleep(scale.tries(10_000, 1_500));
        outage.begins();
        // The old primary must be down before the standby is promoted.
        await primary.stop("killed");
        await Bun.sleep(scale.tries(2_000, 200));
        await promote(standby.url);
        relay.moveTo(standby.port);
        await outage.ended();
        await Bun.sleep(scale.tries(10_000, 1_500));
      },
    });
  } finally {
    await cluster.dispose();
  }
}

/** Resolves once it accepts writes. */
async function promote(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("select pg_promote(true, 30)");
  } finally {
    await client.end();
  }
}
