import pino from "pino";

/** One request that has its response. */
export interface AccessEntry {
  /** The id in the response; undefined: a file was hosted, which has none. */
  readonly requestId: string | undefined;
  /** The W3C Trace Context of the client; null: it sent none. */
  readonly traceparent: string | null;
  readonly client: string;
  /** The API key that authenticated the request; undefined: none. */
  readonly keyId: string | undefined;
  readonly method: string;
  readonly route: string;
  /** Of the URL, without the query. */
  readonly path: string;
  readonly status: number;
  /** Of the response's `Content-Length`; null: it has none. */
  readonly bytes: number | null;
  readonly ms: number;
}

export interface AccessLog {
  write(entry: AccessEntry): void;
  /** Writes what is buffered. */
  close(): void;
}

const FLUSH_MS = 250;
const BUFFER_BYTES = 8 * 1024;

/** Writes JSON lines to standard error, a few at a time. Those of the last moment are lost when the process is killed. */
export function createAccessLog(base: Readonly<Record<string, unknown>>): AccessLog {
  const destination = pino.destination({ dest: 2, sync: false, minLength: BUFFER_BYTES });
  const log = pino({ base, timestamp: pino.stdTimeFunctions.isoTime }, destination);
  const timer = setInterval(() => destination.flush(), FLUSH_MS);
  timer.unref();
  return {
    write: (entry) => log.info({ ...entry, path: withoutSecrets(entry.path) }, "request"),
    close() {
      clearInterval(timer);
      destination.flushSync();
    },
  };
}

/** What comes after these gives access by itself: to a link, an upload, a batch, a signed folder. */
const SECRET = /^(\/s\/|\/api\/uploads\/|\/api\/batches\/|\/api\/hosting\/~)[^/]+/;

const withoutSecrets = (path: string): string => path.replace(SECRET, "$1…");
