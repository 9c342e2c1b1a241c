import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A TCP proxy with a fixed address and a changeable target, as in front of a database. */
export interface Relay {
  readonly port: number;
  /** Closes every connection; new ones go to this port. */
  moveTo(port: number): void;
  close(): void;
}

export async function createRelay(target: number): Promise<Relay> {
  let behind = target;
  const open = new Set<Socket>();
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  const server = createServer((near) => {
    const far = connect(behind, "127.0.0.1");
    const end = (): void => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.on("error", end);
      socket.on("close", () => {
        open.delete(socket);
        end();
      });
    }
    near.pipe(far);
    far.pipe(near);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("There is no port.");

  return {
    port: address.port,
    moveTo(port) {
      behind = port;
      cut();
    },
    close() {
      server.close();
      cut();
    },
  };
}
