import { join } from "node:path";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { startServer } from "../server-process.ts";
import type { Trial } from "../trial.ts";
import { createLossyNetwork } from "./lossy-network.ts";
import { runRealClients } from "./run-real-clients.ts";

/** Downloads over a network with 5 % packet loss in each direction. */
export const packetLoss: Trial = {
  name: "packet-loss",
  async run(scale) {
    const network = createLossyNetwork(0.05);
    const folder = temporaryFolder();
    try {
      const server = await startServer(join(folder, "data"), { env: { HOST: "0.0.0.0" } });
      try {
        return await runRealClients(server, {
          url: `http://${network.serverAddress}:${new URL(server.url).port}`,
          connection: "with 5 % packet loss",
          folder,
          size: scale.tries(20, 2) * 1_000_000,
          commandPrefix: network.clientPrefix,
        });
      } finally {
        await server.kill();
      }
    } finally {
      network.remove();
      removeFolder(folder);
    }
  },
};
