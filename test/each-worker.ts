import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import type { Reachable } from "./client.ts";
import type { TestServer } from "./harness.ts";

/** A way to one of the processes of a server: whatever is sent to this address reaches that one. */
export interface Door extends Reachable {
  readonly pid: number;
  close(): void;
}

/** The processes that a server has started, as the system tells it. */
export function workersOf(server: TestServer): number[] {
  return numbers("/proc").filter((pid) => parentOf(pid) === server.pid);
}

/** A door to each worker that lives now. */
export async function eachWorker(server: TestServer): Promise<Door[]> {
  const connect = createSwitchboard(server.port);
  return Promise.all(workersOf(server).map((pid) => openDoor(server, pid, connect)));
}

/** A new connection to this process. */
type Connect = (pid: number) => Promise<Socket>;

async function openDoor(server: TestServer, pid: number, connectTo: Connect): Promise<Door> {
  const open = new Set<Socket>();
  const door = createServer({ allowHalfOpen: true }, (client) => {
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
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  const address = door.address();
  if (address === null || typeof address === "string") throw new Error("The door has no port");
  return {
    pid,
    url: `http://127.0.0.1:${address.port}`,
    apiKey: server.apiKey,
    close() {
      door.close();
      for (const socket of open) socket.destroy();
    },
  };
}

const MOST_TRIES = 500;

/** The system hands out connections as it likes: what another process got is kept for its door. */
function createSwitchboard(port: number): Connect {
  const kept = new Map<string, Socket>();

  return async (pid) => {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
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

/** The inode of the server's end of a connection, once a process has accepted it. */
async function acceptedAs(port: number, socket: Socket): Promise<string | undefined> {
  // The system may let nobody accept it before there is something to read. This counts for no limit.
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

/** Whether the process lives: one that has ended and that nobody has asked about does not. */
export const isAlive = (pid: number): boolean => parentOf(pid) !== undefined;

function parentOf(pid: number): number | undefined {
  try {
    // The name before it is in brackets and may hold anything.
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
