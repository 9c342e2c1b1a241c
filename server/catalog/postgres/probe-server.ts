import { Client } from "pg";
import { withStrictTls } from "./session-pool.ts";

/**
 * Whether the server replies within the timeout, with anything, on a new connection. A statement is
 * needed: a connection pooler accepts connections for a server that is frozen.
 */
export async function probeServer(url: string, timeoutMs: number): Promise<boolean> {
  const client = new Client({
    connectionString: withStrictTls(url),
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    fallback_application_name: "holdall",
  });
  client.on("error", () => {});
  const timeout = Promise.withResolvers<false>();
  const timer = setTimeout(timeout.resolve, timeoutMs, false);
  const asking = ask(client);
  const isReply = await Promise.race([asking, timeout.promise]);
  clearTimeout(timer);
  void asking.then(() => client.end().catch(() => {}));
  return isReply;
}

async function ask(client: Client): Promise<boolean> {
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch (cause) {
    // The driver's messages: "timeout expired", "Query read timeout".
    return !(cause instanceof Error && /timeout|ETIMEDOUT/.test(cause.message));
  }
}
