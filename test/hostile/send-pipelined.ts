import { connect } from "node:net";
import { parseAnswer, type RawHttpResponse } from "../raw.ts";

/** Everything received over one connection. */
export interface Exchange {
  /** The final responses in order. */
  readonly answers: readonly RawHttpResponse[];
  /** The number of `100 Continue` responses. */
  readonly interim: number;
  /** Whether a last, separate request got its own response. */
  readonly isInSync: boolean;
  /** Bytes after the last response that are not a response. */
  readonly excess: string;
}

/** An unknown path, whose response differs from all others. */
const LAST = "GET /the-last-request HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
const LAST_ANSWER = "This path does not exist.";

/** Pause between the pieces. */
const PAUSE_MS = 40;
/** Timeout for a response or the close, for a busy machine. */
const PATIENCE_MS = 10_000;

/**
 * Sends these bytes, piece by piece, on one connection. If the server keeps the connection after the
 * expected number of responses, one more request follows: its response proves that both sides agree
 * on request boundaries (no smuggling). Throws if the connection is neither kept nor closed.
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
  const soon = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  try {
    for (const [at, piece] of pieces.entries()) {
      if (at > 0) await soon(PAUSE_MS);
      socket.write(Buffer.from(piece, "latin1"));
    }
    const until = performance.now() + PATIENCE_MS;
    while (!closed && answersIn(received, methods, closed).answers.length < expected) {
      if (performance.now() > until) throw new Error(`Neither answered nor closed: ${received}`);
      await soon(until - performance.now());
    }
    if (!closed) socket.write(LAST);
    while (!closed) {
      if (performance.now() > until) throw new Error(`Not closed: ${received}`);
      await soon(until - performance.now());
    }
    const { answers, excess } = answersIn(received, methods, closed);
    const isInSync = answers.at(-1)?.text.includes(LAST_ANSWER) ?? false;
    const interim = received.toString("latin1").match(/^HTTP\/1\.1 100 /gm)?.length ?? 0;
    return { answers: isInSync ? answers.slice(0, -1) : answers, interim, isInSync, excess };
  } finally {
    socket.destroy();
  }
}

function answersIn(received: Buffer, methods: readonly string[], closed: boolean) {
  const answers: RawHttpResponse[] = [];
  let rest: Uint8Array = received;
  for (;;) {
    const method = answers.length === 0 ? (methods[0] ?? "") : "GET";
    const answer = parseAnswer(Buffer.from(rest), method, closed);
    if (answer === null) return { answers, excess: Buffer.from(rest).toString("latin1") };
    answers.push(answer);
    rest = answer.excess;
  }
}
