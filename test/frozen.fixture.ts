import { afterAll, beforeAll } from "bun:test";
import { s3Server } from "../server/blobs/s3/s3-server.fixture.ts";
import { send } from "./client.ts";
import { eventually } from "./expectations.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import { startServer, type TestServer } from "./harness.ts";
import { s3Environment } from "./s3-environment.ts";

export const countLines = (server: TestServer, text: string): number =>
  server
    .output()
    .split("\n")
    .filter((line) => line.includes(text)).length;

export const untilReady = (server: TestServer): Promise<void> =>
  eventually("the server is ready again", async () => {
    return (await send(server, "GET", "/api/health/ready")).status === 200;
  });

export interface FreezableStore {
  readonly server: TestServer;
  /** "writes": it still answers reads. "every second request" for the same object: the first one gets no reply. */
  freeze(what?: FrozenRequests): void;
  thaw(): void;
}

type FrozenRequests = "everything" | "writes" | "every second request";

/** A server whose S3 store can be frozen. */
export function useFreezableStore(): () => FreezableStore {
  let proxy: FaultProxy;
  let server: TestServer;
  let frozen: FrozenRequests | undefined;
  /** By the first line of the requests: the server's probes are counted by themselves. */
  const counts = new Map<string, number>();

  function isFrozen(head: string): boolean {
    if (frozen === "every second request") {
      const [line = ""] = head.split("\r\n");
      const count = (counts.get(line) ?? 0) + 1;
      counts.set(line, count);
      return count % 2 === 1;
    }
    return frozen === "everything" || (frozen === "writes" && !/^(GET|HEAD) /.test(head));
  }

  beforeAll(async () => {
    const settings = await (await s3Server()).fresh();
    proxy = await startFaultProxy(settings.endpoint, (head) =>
      isFrozen(head) ? "silence before" : undefined,
    );
    const env = s3Environment({ ...settings, endpoint: proxy.url });
    // The default of `S3_TIMEOUT`, 30 seconds.
    server = await startServer({ ...env, WORKERS: "1" });
  });
  afterAll(async () => {
    await server.discard();
    await proxy.close();
  });
  return () => ({
    server,
    freeze(what = "everything") {
      frozen = what;
    },
    thaw() {
      frozen = undefined;
    },
  });
}
