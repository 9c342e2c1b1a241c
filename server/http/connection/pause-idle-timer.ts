/** Seconds without traffic after which the runtime closes a connection. */
export const IDLE_SECONDS = 120;

/** The part of the runtime's server that limits how long a connection may be idle. */
export interface IdleTimer {
  timeout(request: Request, seconds: number): void;
}

/**
 * Stops the runtime's idle timer while our code handles a request: it cuts any body that is slower than
 * 16 KiB per second, and any request that waits for a slow store. `domain/body-pace.ts` ends slow bodies
 * instead. Call the result when the response is ready: the runtime would keep the pause for later
 * requests on the connection.
 */
export function pauseIdleTimer(request: Request, server: IdleTimer): () => void {
  server.timeout(request, 0);
  return () => server.timeout(request, IDLE_SECONDS);
}
