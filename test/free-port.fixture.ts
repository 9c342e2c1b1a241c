import { createServer } from "node:net";

/** Below the ephemeral ports, so that no outgoing connection takes one of them. */
const [FIRST, COUNT] = [12_000, 20_000];

/** A random free port: parallel test processes are unlikely to choose the same one. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
      .once("error", () => resolve(false))
      .listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}
