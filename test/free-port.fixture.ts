import { createServer } from "node:net";

/** Below the ports that systems hand out by themselves, so that no connection takes it meanwhile. */
const [FIRST, COUNT] = [12_000, 20_000];

/** A port that nobody listens on just now, and that parallel test processes hardly choose as well. */
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
