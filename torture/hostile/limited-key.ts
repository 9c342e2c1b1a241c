import { join } from "node:path";
import { forEachConcurrently } from "../../server/lib/for-each-concurrently.ts";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { createLimitedAttacker } from "../../test/hostile/limited-attacker.ts";
import { startServer } from "../server-process.ts";
import type { Trial } from "../trial.ts";

/** The hostile requests, forms, names and paths, with an API key that is limited to one folder. */
export const limitedKey: Trial = {
  name: "limited-key",
  async run(scale) {
    const tries = scale.tries(20_000, 500);
    const folder = temporaryFolder();
    const server = await startServer(join(folder, "data"));
    try {
      const attacker = await createLimitedAttacker(server);
      const requests = await attacker.sendRequests();
      await forEachConcurrently(Array(tries).keys(), 4, async (at) => {
        await attacker.attack(4_000_000 + at);
        if (at % 1_000 === 999) scale.progress(`${at + 1} attacks`);
      });
      const problems = await attacker.problems();
      if (server.output().includes("Unexpected server error"))
        problems.push("The server logged an unexpected error.");
      return [
        {
          fault: "attacks with a key for one folder",
          tries,
          lost: 0,
          leftovers: 0,
          problems: problems.slice(0, 20),
          note: `and ${requests} hostile requests`,
        },
      ];
    } finally {
      await server.kill();
      removeFolder(folder);
    }
  },
};
