import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface CommitCutter {
  /** The address of the database through this proxy. */
  readonly url: string;
  /** Cuts the connection of the next commit, before it reaches the server or before its reply. */
  cutCommit(how: "before the server" | "after the server"): void;
  /** How often a client has sent something, which is about once per statement. */
  sent(): number;
  close(): void;
}

/** A proxy to a database that can cut a connection during its commit. */
export async function createCommitCutter(url: string): Promise<CommitCutter> {
  const target = new URL(url);
  let cut: "before the server" | "after the server" | undefined;
  let sent = 0;
  const sockets = new Set<Socket>();

  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    let isMute = false;
    const end = (): void => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", end);
      socket.on("close", end);
    }
    near.on("data", (chunk) => {
      sent += 1;
      if (cut === undefined || !chunk.includes("commit\0")) return void far.write(chunk);
      const how = cut;
      cut = undefined;
      if (how === "before the server") return end();
      isMute = true;
      far.write(chunk);
    });
    far.on("data", (chunk) => {
      if (isMute) end();
      else near.write(chunk);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("There is no free port.");
  const through = new URL(url);
  through.port = `${address.port}`;

  return {
    url: through.href,
    cutCommit(how) {
      cut = how;
    },
    sent: () => sent,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
