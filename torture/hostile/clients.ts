import { connect } from "node:net";
import { join } from "node:path";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { residentMemory } from "../process-state.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import type { Row, Scale, Trial } from "../trial.ts";

/** A million client addresses: each has its own rate limit, in bounded memory. */
export const clients: Trial = {
  name: "clients",
  run: async (scale) => [await floodFromManyAddresses(scale)],
};

const CONNECTIONS = 16;
const LIMIT = 3;
/** The server keeps 200,000 counters. After this number of clients, memory must not grow further. */
const WARM_UP_CLIENTS = 400_000;
const MAX_GROWTH_MB = 150;

async function floodFromManyAddresses(scale: Scale): Promise<Row> {
  const tries = scale.tries(1_000_000, 20_000);
  const folder = temporaryFolder();
  const server = await startServer(join(folder, "data"), {
    env: { TRUSTED_PROXIES: "127.0.0.1", RATE_LIMIT_API: String(LIMIT) },
  });
  const problems: string[] = [];
  let next = 0;
  let memoryWarm: number | undefined;
  try {
    await requestHealth(server, "192.0.2.1");
    const memoryBefore = residentMemory(server.pid);
    const servedBefore = await exhaustLimit(server);
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        const connection = await openConnection(server);
        for (let at = next++; at < tries; at = next++) {
          const status = await connection.request(addressOf(at));
          if (status !== 200) problems.push(`Client ${at} got ${status}.`);
          if (at === WARM_UP_CLIENTS) memoryWarm = residentMemory(server.pid);
          if (at % 200_000 === 199_999)
            scale.progress(`${at + 1} clients, ${Math.round(residentMemory(server.pid))} MB`);
        }
        connection.close();
      }),
    );
    const memoryAfter = residentMemory(server.pid);
    if (memoryWarm !== undefined && memoryAfter > memoryWarm + MAX_GROWTH_MB)
      problems.push(`Memory grew from ${memoryWarm} to ${memoryAfter} MB.`);
    const servedAfter = await exhaustLimit(server);
    for (const served of [servedBefore, servedAfter]) {
      if (served !== LIMIT) problems.push(`One client was served ${served} times, not ${LIMIT}.`);
    }
    const memory = [memoryBefore, memoryWarm ?? memoryAfter, memoryAfter].map(Math.round);
    return {
      fault: "requests from many addresses",
      tries,
      lost: 0,
      leftovers: 0,
      problems: problems.slice(0, 10),
      note: `memory ${memory.join(" → ")} MB; the limit per client applies before and after`,
    };
  } finally {
    await server.kill();
    removeFolder(folder);
  }
}

/** Addresses in different networks, alternating between IPv4 and IPv6. */
const addressOf = (at: number): string =>
  at % 2 === 0
    ? `${11 + (at >> 18)}.${(at >> 10) & 255}.${(at >> 2) & 255}.${at & 255}`
    : `2001:db8:${(at >> 16).toString(16)}:${(at & 0xffff).toString(16)}::1`;

let newClients = 0;

/** Sends more requests than the limit from a new address; returns how many are served. */
async function exhaustLimit(server: ServerProcess): Promise<number> {
  newClients += 1;
  let served = 0;
  for (let at = 0; at < LIMIT + 3; at += 1) {
    if ((await requestHealth(server, `198.18.0.${newClients}`)) === 200) served += 1;
  }
  return served;
}

async function requestHealth(server: ServerProcess, client: string): Promise<number> {
  const response = await fetch(`${server.url}/api/health`, {
    headers: { "X-Forwarded-For": client },
  });
  await response.text();
  return response.status;
}

async function openConnection(server: ServerProcess) {
  const socket = connect({
    host: "127.0.0.1",
    port: Number(new URL(server.url).port),
    noDelay: true,
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", () => resolve());
    socket.once("error", reject);
  });
  let onResponse: ((status: number) => void) | undefined;
  // A small response to a single request arrives in one piece.
  socket.on("data", (chunk) => onResponse?.(Number(String(chunk).slice(9, 12))));
  return {
    request(client: string): Promise<number> {
      const { promise, resolve } = Promise.withResolvers<number>();
      onResponse = resolve;
      socket.write(`GET /api/health HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${client}\r\n\r\n`);
      return promise;
    },
    close: () => socket.destroy(),
  };
}
