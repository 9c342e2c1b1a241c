import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { z } from "zod";
import { api } from "./client.ts";
import { expectData } from "./expectations.ts";
import { startServer } from "./harness.ts";

const CLIENTS = 150;
const CHANGES = 2000;

test("streams whose clients read nothing take little memory", async () => {
  const server = await startServer({ RATE_LIMIT_API: "0" });
  try {
    const a = api(server);
    const shape = z.looseObject({ cursor: z.string() });
    const { cursor } = expectData(await a.get("/api/changes"), shape);
    const { id } = await a.put("x", "x");
    for (let round = 0; round < CHANGES; round += 20) {
      const visibilities = Array.from({ length: 20 }, (_, at) => (at % 2 ? "public" : "private"));
      await Promise.all(
        visibilities.map((visibility) => a.json("PUT", "/api/files", { id, visibility })),
      );
    }
    const before = memoryOf(server.pid);
    const request = [
      `GET /api/changes?since=${cursor} HTTP/1.1`,
      `Host: 127.0.0.1:${server.port}`,
      `API-Key: ${server.apiKey}`,
      "Accept: text/event-stream",
    ];
    const sockets = Array.from({ length: CLIENTS }, () => {
      const socket = connect(server.port, "127.0.0.1");
      socket.on("error", () => {});
      socket.pause();
      socket.write(`${request.join("\r\n")}\r\n\r\n`);
      return socket;
    });
    await Bun.sleep(4000);
    const grown = memoryOf(server.pid) - before;
    for (const socket of sockets) socket.destroy();
    // All changes for all clients would take 180 MB.
    expect(grown).toBeLessThan(90);
  } finally {
    await server.discard();
  }
}, 120_000);

/** In MB. */
function memoryOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1000;
}
