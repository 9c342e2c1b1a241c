import { join } from "node:path";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { startServer } from "../server-process.ts";
import type { Trial } from "../trial.ts";
import { createLossyNetwork } from "./lossy-network.ts";
import { runRealClients } from "./run-real-clients.ts";

/** Downloads over a link that loses 5% of the packets in each direction. */
export const packetLoss: Trial = {
  name: "packet-loss",
  async run(scale) {
    const line = createLossyNetwork(0.05);
    const folder = temporaryFolder();
    try {
      const server = await startServer(join(folder, "data"), { env: { HOST: "0.0.0.0" } });
      try {
        const url = `http://${line.address}:${new URL(server.url).port}`;
        const setup = { url, where: "where 5 % is lost", folder, commandPrefix: line.across };
        return await runRealClients(server, { ...setup, size: scale.tries(20, 2) * 1_000_000 });
      } finally {
        await server.kill();
      }
    } finally {
      line.remove();
      removeFolder(folder);
    }
  },
};
