import { createClient } from "@redis/client";
import type { RedisSettings } from "./redis-settings.ts";

/** An open connection, which does not come back once it is lost. */
export interface Connection {
  /**
   * What goes in one turn of the loop goes in one write. Rejects with what Redis refuses it for, and
   * when the connection is lost.
   */
  send(command: readonly string[]): Promise<unknown>;
  /** Ends it at once. */
  close(): void;
}

export interface ConnectOptions extends Pick<RedisSettings, "url"> {
  /** Milliseconds for all that belongs to connecting, the sign-in among it. */
  readonly patience: number;
  /** Is told once, and only of a connection that had been open. */
  readonly onLost: (cause: unknown) => void;
}

/** Error: Redis cannot be reached, or does not let us in. */
export async function connect({ url, patience, onLost }: ConnectOptions): Promise<Connection> {
  let isOpen = false;
  const client = createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    socket: { reconnectStrategy: false, connectTimeout: patience, keepAliveInitialDelay: 5000 },
  });
  const close = (): void => {
    isOpen = false;
    if (client.isOpen) client.destroy();
  };
  // Whatever goes wrong with a connection comes here, and an error nobody hears would end us.
  client.on("error", (cause: unknown) => {
    const wasOpen = isOpen;
    close();
    if (wasOpen) onLost(cause);
  });
  // The library's limit ends where the sign-in begins.
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`no answer within ${patience / 1000} s`)),
    patience,
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
