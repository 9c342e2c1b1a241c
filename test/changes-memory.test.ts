import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { z } from "zod";
import { api } from "./client.ts";
import { eventually, expectData } from "./expectations.ts";
import { startServer } from "./harness.ts";
import { newKeyData } from "./shapes.ts";

const CLIENTS = 150;
const CHANGES = 2000;

test("streams whose clients read nothing take little memory, and end with their key and the server", async () => {
  const server = await startServer({ RATE_LIMIT_API: "0", WORKERS: "1" });
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
    const sockets: Socket[] = [];
    const stream = (apiKey: string) => {
      const request = [
        `GET /api/changes?since=${cursor} HTTP/1.1`,
        `Host: 127.0.0.1:${server.port}`,
        `API-Key: ${apiKey}`,
        "Accept: text/event-stream",
        "Connection: close",
      ];
      const socket = connect(server.port, "127.0.0.1");
      sockets.push(socket);
      socket.on("error", () => {});
      socket.pause();
      socket.write(`${request.join("\r\n")}\r\n\r\n`);
    };
    const created = await a.json("POST", "/api/keys", { name: "reader" });
    const { key, secret } = expectData(created, newKeyData);
    const before = memoryOf(server.pid);
    for (let client = 0; client < CLIENTS; client += 1) stream(secret);
    await eventually("all streams are open", () => openFiles(server.pid) > CLIENTS);
    // Time for more changes than may be in memory.
    await Bun.sleep(4000);
    // All changes for all clients would take 180 MB, for as long as the clients read nothing. The rows that PostgreSQL
    // has sent are garbage for some seconds, on a busy machine more than here.
    const isLittle = (): boolean => memoryOf(server.pid) - before < 90;
    await eventually("little memory is used", isLittle, 60_000);
    const opened = openFiles(server.pid);

    await a.json("DELETE", "/api/keys", { id: key.id });
    await eventually("streams end", () => openFiles(server.pid) < opened - CLIENTS + 20);
    stream(server.apiKey);
    // Nothing shows that the stream has begun.
    await Bun.sleep(500);
    // Requests in progress are given 25 seconds.
    expect(await Promise.race([server.stop(), Bun.sleep(15_000)])).toBe(0);
    for (const socket of sockets) socket.destroy();
  } finally {
    await server.discard();
  }
});

/** In MB. */
function memoryOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1000;
}

const openFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;
