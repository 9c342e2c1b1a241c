import type { Row, Trial } from "../trial.ts";
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
      let row = await trial(scale);
      // A busy machine makes servers refuse requests, as they should.
      if (hasOnlyRefusals(row)) row = ranTwice(await trial(scale), row);
      scale.progress(`${row.fault}: done`);
      rows.push(row);
    }
    return rows;
  },
};

const hasOnlyRefusals = ({ lost, leftovers, problems }: Row): boolean =>
  lost + leftovers === 0 && problems.length > 0 && problems.every((text) => text.includes("503"));

const ranTwice = (row: Row, first: Row): Row => ({
  ...row,
  note: `${row.note}; unstable, ${first.problems.length} refused in a run before`,
});
