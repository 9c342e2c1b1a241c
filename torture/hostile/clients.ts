import { connect } from "node:net";
import { join } from "node:path";
import { removeFolder, temporaryFolder } from "../../test/harness.ts";
import { residentMemory } from "../process-state.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import type { Row, Scale, Trial } from "../trial.ts";

/** A million clients: each has its own budget, and the memory for them is bounded. */
export const clients: Trial = { name: "clients", run: async (scale) => [await manyClients(scale)] };

const LINES = 16;
const LIMIT = 3;
/** The server remembers 200,000 clients; from this number on memory must not grow. */
const REMEMBERED = 400_000;
const MOST_GROWTH_MB = 150;

async function manyClients(scale: Scale): Promise<Row> {
  const tries = scale.tries(1_000_000, 20_000);
  const folder = temporaryFolder();
  const server = await startServer(join(folder, "data"), {
    env: { TRUSTED_PROXIES: "127.0.0.1", RATE_LIMIT_API: String(LIMIT) },
  });
  const problems: string[] = [];
  let next = 0;
  let settled: number | undefined;
  try {
    await ask(server, "192.0.2.1");
    const before = residentMemory(server.pid);
    const limited = await askRepeatedly(server);
    await Promise.all(
      Array.from({ length: LINES }, async () => {
        const line = await openLine(server);
        for (let at = next++; at < tries; at = next++) {
          const status = await line.ask(addressOf(at));
          if (status !== 200) problems.push(`Client ${at} was answered with ${status}.`);
          if (at === REMEMBERED) settled = residentMemory(server.pid);
          if (at === REMEMBERED) settled = residentMemory(server.pid);
          if (at % 200_000 === 199_999)
            scale.progress(`${at + 1} clients, ${Math.round(residentMemory(server.pid))} MB`);
        }
        line.close();
      }),
    );
    const after = residentMemory(server.pid);
    if (settled !== undefined && after > settled + MOST_GROWTH_MB)
      problems.push(`Memory grew from ${settled} to ${after} MB.`);
    const still = await askRepeatedly(server);
    for (const served of [limited, still]) {
      if (served !== LIMIT) problems.push(`One client was served ${served} times, not ${LIMIT}.`);
    }
    const note = `memory ${Math.round(before)} → ${Math.round(settled ?? after)} → ${Math.round(after)} MB; one client is held to its limit before and after`;
    return {
      fault: "as many clients as addresses",
      tries,
      lost: 0,
      leftovers: 0,
      problems: problems.slice(0, 10),
      note,
    };
  } finally {
    await server.kill();
    removeFolder(folder);
  }
}

/** Addresses in different networks, alternately IPv4 and IPv6. */
const addressOf = (at: number): string =>
  at % 2 === 0
    ? `${11 + (at >> 18)}.${(at >> 10) & 255}.${(at >> 2) & 255}.${at & 255}`
    : `2001:db8:${(at >> 16).toString(16)}:${(at & 0xffff).toString(16)}::1`;

let fresh = 0;

/** The number of requests that a new client may make. */
async function askRepeatedly(server: ServerProcess): Promise<number> {
  fresh += 1;
  let served = 0;
  for (let at = 0; at < LIMIT + 3; at += 1) {
    if ((await ask(server, `198.18.0.${fresh}`)) === 200) served += 1;
  }
  return served;
}

async function ask(server: ServerProcess, client: string): Promise<number> {
  const answer = await fetch(`${server.url}/api/health`, {
    headers: { "X-Forwarded-For": client },
  });
  await answer.text();
  return answer.status;
}

async function openLine(server: ServerProcess) {
  const socket = connect({
    host: "127.0.0.1",
    port: Number(new URL(server.url).port),
    noDelay: true,
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", () => resolve());
    socket.once("error", reject);
  });
  let heard: ((status: number) => void) | undefined;
  // Small responses arrive in one chunk.
  socket.on("data", (chunk) => heard?.(Number(String(chunk).slice(9, 12))));
  return {
    ask(client: string): Promise<number> {
      const { promise, resolve } = Promise.withResolvers<number>();
      heard = resolve;
      socket.write(`GET /api/health HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${client}\r\n\r\n`);
      return promise;
    },
    close: () => socket.destroy(),
  };
}
