import { connect } from "node:net";
import { parseAnswer, type RawHttpResponse } from "../raw.ts";

/** All that came back over one connection. */
export interface Exchange {
  /** The final answers, in their order. */
  readonly answers: readonly RawHttpResponse[];
  /** How many `100 Continue` came. */
  readonly interim: number;
  /** Whether a request that was sent after everything else was answered for what it is. */
  readonly isInSync: boolean;
  /** Bytes behind the last answer that are none. */
  readonly excess: string;
}

/** An address that has nothing, so that its answer can be told from all others. */
const LAST = "GET /the-last-request HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
const LAST_ANSWER = "This path does not exist.";

/** Between the pieces of what is sent. */
const PAUSE_MS = 40;
/** How long an answer or the close may take on a busy machine. */
const PATIENCE_MS = 10_000;

/**
 * Sends these bytes, piece by piece, on one connection. Where the server keeps the connection after
 * so many answers, one more request follows, which ends it: that proves that both sides agree where
 * each request ended. Throws when the connection is neither kept nor closed.
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
