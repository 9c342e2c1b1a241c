import { connect } from "node:net";
import { parseAnswer, type RawHttpResponse } from "../raw.ts";

/** Everything received on one connection. */
export interface Exchange {
  /** The final responses, in order. */
  readonly responses: readonly RawHttpResponse[];
  /** The number of `100 Continue` responses. */
  readonly continues: number;
  /** Whether the server answered the probe request that follows everything else. */
  readonly isInSync: boolean;
  /** Bytes after the last response. */
  readonly excess: string;
}

/** A request for a path that does not exist: its response is unlike all others. */
const PROBE = "GET /the-last-request HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
const PROBE_RESPONSE = "This path does not exist.";

const PAUSE_BETWEEN_PIECES_MS = 40;
/** Generous, for a busy machine. */
const TIMEOUT_MS = 120_000;

/**
 * Sends bytes, piece by piece, on one connection. If the connection is open after the expected
 * number of responses, sends a probe request that closes it. A response to the probe proves that
 * client and server agree where each request ends, so that no request was smuggled. Throws if the
 * server neither responds nor closes the connection.
 */
export async function sendPipelined(
  port: number,
  pieces: readonly string[],
  expected: number,
): Promise<Exchange> {
  const socket = connect({ host: "127.0.0.1", port, noDelay: true });
  let received: Buffer = Buffer.alloc(0);
  let closed = false;
  let wake = () => {};
  socket.on("error", () => {});
  socket.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  socket.on("close", () => {
    closed = true;
    wake();
  });
  const methods = pieces.join("").split(" ", 1);
  const waitForEvent = (timeoutMs: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  try {
    for (const [at, piece] of pieces.entries()) {
      if (at > 0) await waitForEvent(PAUSE_BETWEEN_PIECES_MS);
      socket.write(Buffer.from(piece, "latin1"));
    }
    const deadline = performance.now() + TIMEOUT_MS;
    while (!closed && parseResponses(received, methods, closed).responses.length < expected) {
      if (performance.now() > deadline)
        throw new Error(`The server neither responded nor closed the connection: ${received}`);
      await waitForEvent(deadline - performance.now());
    }
    if (!closed) socket.write(PROBE);
    while (!closed) {
      if (performance.now() > deadline)
        throw new Error(`The server did not close the connection: ${received}`);
      await waitForEvent(deadline - performance.now());
    }
    const { responses, excess } = parseResponses(received, methods, closed);
    const isInSync = responses.at(-1)?.text.includes(PROBE_RESPONSE) ?? false;
    const continues = received.toString("latin1").match(/^HTTP\/1\.1 100 /gm)?.length ?? 0;
    return {
      responses: isInSync ? responses.slice(0, -1) : responses,
      continues,
      isInSync,
      excess,
    };
  } finally {
    socket.destroy();
  }
}

function parseResponses(received: Buffer, methods: readonly string[], closed: boolean) {
  const responses: RawHttpResponse[] = [];
  let rest: Uint8Array = received;
  for (;;) {
    const method = responses.length === 0 ? (methods[0] ?? "") : "GET";
    const response = parseAnswer(Buffer.from(rest), method, closed);
    if (response === null) return { responses, excess: Buffer.from(rest).toString("latin1") };
    responses.push(response);
    rest = response.excess;
  }
}
