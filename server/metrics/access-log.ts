import { fstatSync, writeSync } from "node:fs";
import pino from "pino";
import { PIPE_BUF } from "../lib/pipe-buf.ts";

/** One request that has its response. */
export interface AccessEntry {
  /** The id in the response; undefined: a file was hosted, which has none. */
  readonly requestId: string | undefined;
  /** The W3C Trace Context of the client; null: it sent no valid one. */
  readonly traceparent: string | null;
  readonly client: string;
  /** The API key that authenticated the request; undefined: none. */
  readonly keyId: string | undefined;
  readonly method: string;
  readonly route: string;
  /** The path of the URL, without the query. */
  readonly path: string;
  readonly status: number;
  /** The response's `Content-Length`; null: it has none. */
  readonly bytes: number | null;
  readonly ms: number;
}

export interface AccessLog {
  write(entry: AccessEntry): void;
  /** Writes the buffered lines. */
  close(): void;
}

/** The place that gets the lines. */
export interface LogDestination {
  /** May return before the lines are written. */
  write(lines: string): void;
  /** Returns when all lines are written. */
  flushSync(): void;
}

const FLUSH_MS = 250;
/** The server's log (pino) writes the level "info" as this number. */
const INFO = 30;
/** UTF-16 code units. */
const BUFFER_LENGTH = 64 * 1024;

/**
 * Writes JSON lines, many at a time. The lines of the last 250 ms are lost when the process is killed. `base`: the
 * fields of every line. `destination`: default: standard error.
 */
export function createAccessLog(
  base: Readonly<Record<string, unknown>>,
  basePath: string,
  destination: LogDestination = openStandardError(),
): AccessLog {
  let lines = "";
  const isoTime = createIsoTime();

  // The destination can wait for more lines too, but counts the bytes of each.
  function flush(): void {
    if (lines !== "") destination.write(lines);
    lines = "";
  }

  function add(entry: AccessEntry): void {
    const { requestId, traceparent, client, keyId, method, route, status, bytes, ms } = entry;
    // In this order a line reads well, and spreading the entry would take as long as writing the line.
    const line = {
      level: INFO,
      time: isoTime(),
      ...base,
      requestId,
      traceparent,
      client,
      keyId,
      method,
      route,
      path: cutPath(withoutSecrets(entry.path, basePath)),
      status,
      bytes,
      ms,
      msg: "request",
    };
    lines += `${JSON.stringify(line)}\n`;
    if (lines.length >= BUFFER_LENGTH) flush();
  }

  const timer = setInterval(flush, FLUSH_MS);
  timer.unref();
  return {
    write: add,
    close() {
      clearInterval(timer);
      flush();
      destination.flushSync();
    },
  };
}

/** The time as text, which many lines of a millisecond share. */
function createIsoTime(): () => string {
  let millis = 0;
  let text = "";
  return () => {
    const now = Date.now();
    if (now !== millis) text = new Date(now).toISOString();
    millis = now;
    return text;
  };
}

/** UTF-16 code units that wait for a slow pipe. Lines past them are dropped. */
const MAX_WAITING = 16 * 1024 * 1024;

const openStandardError = (): LogDestination =>
  fstatSync(2).isFile() ? fileDestination : openPipe();

/** The system takes lines for a file at once. Those that do not fit on its disk are lost. */
const fileDestination: LogDestination = {
  write(lines) {
    try {
      writeSync(2, lines);
    } catch {
      // There is no other place for them.
    }
  },
  flushSync() {},
};

/**
 * Writes a few lines at a time, so that a slow pipe does not take a part of a line, after which other writers,
 * such as the server's log and other processes, would write theirs.
 */
function openPipe(): LogDestination {
  const stream = pino.destination({
    dest: 2,
    sync: false,
    maxWrite: PIPE_BUF,
    maxLength: MAX_WAITING,
  });
  const flushSync = stream.flushSync.bind(stream);
  // It would repeat a write that fails for ever, also at the exit.
  stream.on("error", () => {
    stream.flushSync = () => {};
  });
  stream.on("write", () => {
    stream.flushSync = flushSync;
  });
  return {
    write(lines) {
      const bytes = Buffer.from(lines);
      for (let start = 0; start < bytes.length; ) {
        const end = endOfLines(bytes, start);
        stream.write(bytes.toString("utf8", start, end));
        start = end;
      }
    },
    flushSync: () => stream.flushSync(),
  };
}

/** Where the lines that fit in a write end. A longer line is written alone. */
function endOfLines(bytes: Buffer, start: number): number {
  const last = bytes.length - start <= PIPE_BUF ? bytes.length - 1 : start + PIPE_BUF - 1;
  const fitting = bytes.lastIndexOf("\n", last);
  return (fitting < start ? bytes.indexOf("\n", start) : fitting) + 1;
}

/** In JSON. The other fields are short, so that a line is shorter than `PIPE_BUF`. */
const MAX_PATH_BYTES = 2560;

/** Cuts a path that is longer. */
function cutPath(path: string): string {
  const { length } = path;
  // Each UTF-16 code unit has at most 6 bytes.
  if (length * 6 <= MAX_PATH_BYTES || jsonBytes(path) <= MAX_PATH_BYTES) return path;
  const fitting = Math.floor((length * MAX_PATH_BYTES) / jsonBytes(path));
  let kept = path.slice(0, fitting);
  while (jsonBytes(`${kept}…`) > MAX_PATH_BYTES) kept = kept.slice(0, -8);
  return `${kept}…`;
}

const jsonBytes = (value: string): number => Buffer.byteLength(JSON.stringify(value)) - 2;

/**
 * What comes after these gives access by itself: to a link, an upload, a batch, a signed folder. Slashes may be
 * repeated and the tilde encoded, as in paths that clients have joined: the token is a valid one all the same.
 */
const SECRET =
  /^(\/+s\/+|\/+api\/+uploads\/+|\/+api\/+batches\/+|\/+api\/+hosting\/+(?:~|%7e))[^/]+/i;

/** `basePath` is where a proxy shows the site. A proxy that does not remove it sends requests to no route. */
export function withoutSecrets(path: string, basePath: string): string {
  const base = basePath !== "" && path.startsWith(`${basePath}/`) ? basePath : "";
  return base + path.slice(base.length).replace(SECRET, "$1…");
}
