import { join } from "node:path";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { startServer } from "../server-process.ts";
import type { Trial } from "../trial.ts";
import { layLossyLine } from "./lossy-line.ts";
import { fetchByClients } from "./real-clients.ts";

/** Downloads over a line that loses one packet in twenty, each way. */
export const loss: Trial = {
  name: "loss",
  async run(scale) {
    const line = layLossyLine(0.05);
    const folder = temporaryFolder();
    try {
      const server = await startServer(join(folder, "data"), { env: { HOST: "0.0.0.0" } });
      try {
        const url = `http://${line.address}:${new URL(server.url).port}`;
        const course = { url, where: "where 5 % is lost", folder, wrap: line.across };
        return await fetchByClients(server, { ...course, size: scale.tries(20, 2) * 1_000_000 });
      } finally {
        await server.kill();
      }
    } finally {
      line.remove();
      removeFolder(folder);
    }
  },
};
