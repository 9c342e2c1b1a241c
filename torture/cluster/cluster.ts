import type { Trial } from "../trial.ts";
import { instanceKills } from "./instance-kills.ts";

/** Several servers over one PostgreSQL and one S3 store: what befalls one of them, or the database. */
export const cluster: Trial = {
  name: "cluster",
  async run(scale) {
    return [await instanceKills(scale)];
  },
};
