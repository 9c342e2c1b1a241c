import type { Trial } from "../trial.ts";
import { databaseRestarts } from "./database-restarts.ts";
import { failover } from "./failover.ts";
import { feedUnderKills } from "./feed-under-kills.ts";
import { instanceKills } from "./instance-kills.ts";
import { nameRaces } from "./name-races.ts";

/** Several servers over one PostgreSQL and one S3 store: faults of a server and of the database. */
export const cluster: Trial = {
  name: "cluster",
  async run(scale) {
    const rows = [];
    for (const trial of [nameRaces, instanceKills, feedUnderKills, databaseRestarts, failover]) {
      const row = await trial(scale);
      scale.progress(`${row.fault}: done`);
      rows.push(row);
    }
    return rows;
  },
};
