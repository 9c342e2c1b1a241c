import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A proxy whose connections go to the current one of several servers. */
export interface Switch {
  readonly port: number;
  /** Cuts all connections; new ones go to this port. */
  to(port: number): void;
  close(): void;
}

export async function startSwitch(first: number): Promise<Switch> {
  let target = first;
  const open = new Set<Socket>();
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  const proxy = createServer((near) => {
    const far = connect(target, "127.0.0.1");
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        open.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const address = proxy.address();
  if (address === null || typeof address === "string") throw new Error("There is no free port.");
  return {
    port: address.port,
    to(port) {
      target = port;
      cut();
    },
    close() {
      proxy.close();
      cut();
    },
  };
}
