import { createClient } from "@redis/client";
import type { RedisSettings } from "./redis-settings.ts";

/** An open connection to Redis. It does not reconnect. */
export interface Connection {
  /**
   * Commands of one turn of the event loop leave in one write. Rejects with the error that Redis
   * replies, and when the connection is lost.
   */
  send(command: readonly string[]): Promise<unknown>;
  /** Closes it at once. */
  close(): void;
}

export interface ConnectOptions extends Pick<RedisSettings, "url"> {
  /** The time to connect and sign in, together. */
  readonly timeoutMs: number;
  /** Called once, and only after the connection had been open. */
  readonly onLost: (cause: unknown) => void;
}

/** Error: Redis cannot be reached, or refuses the credentials. */
export async function connect({ url, timeoutMs, onLost }: ConnectOptions): Promise<Connection> {
  let isOpen = false;
  const client = createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    socket: { reconnectStrategy: false, connectTimeout: timeoutMs, keepAliveInitialDelay: 5000 },
  });
  const close = (): void => {
    isOpen = false;
    if (client.isOpen) client.destroy();
  };
  // Every failure of the connection arrives here; an unhandled error event would end the process.
  client.on("error", (cause: unknown) => {
    const wasOpen = isOpen;
    close();
    if (wasOpen) onLost(cause);
  });
  // The library's timeout does not cover the sign-in.
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`no reply within ${timeoutMs / 1000} s`)),
    timeoutMs,
  );
  try {
    await Promise.race([client.connect(), late.promise]);
  } catch (cause) {
    close();
    throw cause;
  } finally {
    clearTimeout(timer);
  }
  isOpen = true;
  return { send: (command) => client.sendCommand(command), close };
}

/** The reason why Redis cannot be used, in a few words and without secrets. */
export function describeRedisError(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.message.startsWith("NOAUTH")) return "a password is required";
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : cause.name;
  return cause.message === "" ? code : cause.message;
}
