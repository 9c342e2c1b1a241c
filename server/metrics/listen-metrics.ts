import type { ListenAddress } from "../domain/listen-address.ts";
import { serve } from "../runtime/serve.ts";
import { families, type Known } from "./families.ts";
import { CONTENT_TYPE, prometheusText } from "./prometheus-text.ts";

export interface MetricsServer {
  stop(): Promise<void>;
}

/** Serves `/metrics`. Throws the runtime's error if the address is not available. */
export function listenMetrics(
  { host, port }: ListenAddress,
  read: () => Promise<Known>,
): MetricsServer {
  const server = serve({
    hostname: host,
    port,
    routes: {
      "/metrics": {
        GET: async () =>
          new Response(prometheusText(families(await read())), {
            headers: { "Content-Type": CONTENT_TYPE, "Cache-Control": "no-store" },
          }),
      },
    },
    fetch: () => new Response("Metrics are at /metrics.\n", { status: 404 }),
    error: () => new Response("The metrics could not be read.\n", { status: 500 }),
  });
  return { stop: () => server.stop(true) };
}
