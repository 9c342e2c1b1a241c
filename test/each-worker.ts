import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import type { Reachable } from "./client.ts";
import type { TestServer } from "./harness.ts";

/** An address whose requests all reach the same worker process. */
export interface WorkerEndpoint extends Reachable {
  readonly pid: number;
  close(): void;
}

/** The pids of a server's child processes. */
export function workersOf(server: TestServer): number[] {
  return numbers("/proc").filter((pid) => parentOf(pid) === server.pid);
}

/** An endpoint for each running worker. */
export async function eachWorker(server: TestServer): Promise<WorkerEndpoint[]> {
  const connect = createWorkerConnect(server.port);
  return Promise.all(workersOf(server).map((pid) => openEndpoint(server, pid, connect)));
}

/** Opens a connection to this process. */
type Connect = (pid: number) => Promise<Socket>;

async function openEndpoint(
  server: TestServer,
  pid: number,
  connectTo: Connect,
): Promise<WorkerEndpoint> {
  const open = new Set<Socket>();
  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    open.add(client);
    client.on("error", () => {});
    connectTo(pid).then(
      (worker) => {
        open.add(worker);
        client.pipe(worker);
        worker.pipe(client);
        worker.on("close", () => client.destroy());
        client.on("close", () => worker.destroy());
      },
      () => client.destroy(),
    );
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = proxy.address();
  if (address === null || typeof address === "string") throw new Error("The endpoint has no port");
  return {
    pid,
    url: `http://127.0.0.1:${address.port}`,
    apiKey: server.apiKey,
    close() {
      proxy.close();
      for (const socket of open) socket.destroy();
    },
  };
}

const MAX_ATTEMPTS = 500;

/** The kernel chooses which process accepts a connection; connections of other workers are kept for later. */
function createWorkerConnect(port: number): Connect {
  const kept = new Map<string, Socket>();

  return async (pid) => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      for (const inode of inodesOf(pid)) {
        const socket = kept.get(inode);
        kept.delete(inode);
        if (socket?.destroyed === false) return socket;
      }
      const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
      socket.on("error", () => {});
      const inode = await acceptedAs(port, socket);
      if (inode !== undefined) kept.set(inode, socket);
    }
    throw new Error(`No connection reaches the process ${pid}`);
  };
}

/** The inode of the server's socket of a connection, once a process has accepted it. */
async function acceptedAs(port: number, socket: Socket): Promise<string | undefined> {
  // Some kernels only let a process accept it once there is data. This request counts against no limit.
  socket.write("HEAD /app/nothing HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  const isAnswered = await new Promise((resolve) => {
    socket.once("data", () => resolve(true)).once("close", () => resolve(false));
  });
  if (isAnswered !== true) return undefined;
  const hex = (number = 0): string => number.toString(16).toUpperCase().padStart(4, "0");
  const ends = new RegExp(`:${hex(port)} \\w+:${hex(socket.localPort)} 01(?: +\\S+){5} +(\\d+)`);
  return ends.exec(readFileSync("/proc/net/tcp", "utf8"))?.[1];
}

function inodesOf(pid: number): string[] {
  return numbers(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
    } catch {
      return [];
    }
  });
}

/** Whether the process runs; a zombie does not. */
export const isAlive = (pid: number): boolean => parentOf(pid) !== undefined;

function parentOf(pid: number): number | undefined {
  try {
    // The process name before it is in parentheses and may contain any character.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return state === "Z" ? undefined : Number(parent);
  } catch {
    return undefined;
  }
}

function numbers(folder: string): number[] {
  try {
    return readdirSync(folder).map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}
