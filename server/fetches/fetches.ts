import type { FetchLedger, FetchRecord } from "../catalog/port/fetches.ts";
import { createBodyPace, MINIMUM_PACE } from "../domain/body-pace.ts";
import type { Authorized } from "../domain/callers/authorize.ts";
import { Fault } from "../domain/faults/fault.ts";
import { parseName } from "../domain/names/name.ts";
import type { OnConflict } from "../domain/names/on-conflict.ts";
import type { FileRecord, Key, Millis, Name, Sha256, Visibility } from "../domain/records.ts";
import type { UploadRecord } from "../domain/uploads.ts";
import type { Outgoing, OutgoingResponse } from "../outgoing/outgoing.ts";
import { OutgoingFailure } from "../outgoing/outgoing-failure.ts";
import { sleep } from "../runtime/sleep.ts";
import { fileNameOf } from "../semantics/disposition.ts";
import type { CreatedUpload } from "../uploads/create-upload.ts";
import type { Uploads } from "../uploads/uploads.ts";

/** Files that the server fetches from URLs, each into an upload, in the background. */
export interface Fetches {
  /**
   * Begins to fetch files. Faults: "invalid": a URL; those of `CreateUpload`; "unavailable": too many files are
   * waiting. With a fault, none is fetched.
   */
  start(
    caller: Authorized<"write">,
    wanted: readonly WantedFile[],
    client: string,
  ): Promise<readonly CreatedUpload[]>;
  /** Faults: those of `start` that depend neither on the caller nor on the folders. */
  check(wanted: readonly WantedFile[]): void;
  /** What is known of an upload's file. undefined: it is sent by a client. */
  stateOf(upload: UploadRecord): Promise<Omit<FetchRecord, "uploadId" | "at"> | undefined>;
  /** Forgets those whose uploads are gone. */
  prune(now: Millis): Promise<void>;
  /** Interrupts what runs. */
  close(): Promise<void>;
}

export interface WantedFile {
  readonly url: string;
  readonly folder: Key | undefined;
  /** undefined: the source names it. */
  readonly name: Name | undefined;
  readonly onConflict?: OnConflict | undefined;
  readonly sha256?: Sha256 | undefined;
  readonly visibility?: Visibility | undefined;
}

export interface FetchesDeps {
  readonly catalog: FetchLedger & { now(): Millis };
  readonly uploads: Pick<Uploads, "create" | "append" | "cancel">;
  readonly outgoing: Pick<Outgoing, "get" | "checkUrl">;
  /** A file was stored, for this client. */
  readonly onStored: (client: string, upload: UploadRecord, file: FileRecord) => void;
  readonly onError: (message: string, cause: unknown) => void;
}

/** Files that one process fetches at the same time. */
const MAX_RUNNING = 4;
const MAX_WAITING = 1000;
const MAX_REDIRECTS = 5;
const HEADERS_MS = 30_000;
const IDLE_MS = 30_000;
/** 5 GB at 12 Mbit/s. */
const TOTAL_MS = 3_600_000;
const BEAT_MS = 10_000;
/** Its process is dead. */
const SILENCE_MS = 60_000;
/**
 * Longer than a file waits for those before it, which may take an hour each. Until then, the state of one that failed
 * can be read. In seconds.
 */
const EXPIRES_IN = 86_400;
/** Longer than a finished upload answers. */
const KEPT_MS = 8 * 24 * 3_600_000;
const CLOSE_MS = 2000;
const INTERRUPTED = "The server stopped while it fetched the file. Fetch it again.";

interface Job {
  readonly wanted: WantedFile;
  readonly created: CreatedUpload;
  readonly client: string;
}

export function createFetches(deps: FetchesDeps): Fetches {
  const { catalog, uploads, outgoing, onError } = deps;
  const waiting: Job[] = [];
  const running = new Map<Job, Promise<void>>();
  const closing = new AbortController();
  let timer: Timer | undefined;

  const record = (
    { created }: Job,
    state: FetchRecord["state"],
    error: string | null = null,
  ): FetchRecord => ({ uploadId: created.upload.id, state, error, at: catalog.now() });

  const save = (records: readonly FetchRecord[]): Promise<void> =>
    catalog
      .saveFetches(records)
      .catch((cause) => onError("The state of files from URLs could not be saved", cause));

  function beat(): void {
    const jobs = [
      ...[...running.keys()].map((job) => record(job, "running")),
      ...waiting.map((job) => record(job, "waiting")),
    ];
    if (jobs.length > 0) void save(jobs);
    else {
      clearInterval(timer);
      timer = undefined;
    }
  }

  function runNext(): void {
    while (running.size < MAX_RUNNING && !closing.signal.aborted) {
      const job = waiting.shift();
      if (job === undefined) return;
      running.set(
        job,
        run(job).finally(() => {
          running.delete(job);
          runNext();
        }),
      );
    }
  }

  async function run(job: Job): Promise<void> {
    try {
      await save([record(job, "running")]);
      await fetchFile(job);
      await save([record(job, "done")]);
    } catch (cause) {
      if (!(cause instanceof Fault || cause instanceof OutgoingFailure)) {
        if (!closing.signal.aborted) onError("A file from a URL could not be fetched", cause);
      }
      await save([record(job, "failed", closing.signal.aborted ? INTERRUPTED : textOf(cause))]);
    }
  }

  async function fetchFile({ wanted, created, client }: Job): Promise<void> {
    const response = await outgoing.get({
      url: outgoing.checkUrl(wanted.url),
      redirects: MAX_REDIRECTS,
      headersMs: HEADERS_MS,
      totalMs: TOTAL_MS,
      idleMs: IDLE_MS,
      signal: closing.signal,
    });
    try {
      rejectResponse(response);
      const length = lengthOf(response);
      const source = failureOf(response.body);
      const { upload, file, isCompleted } = await uploads
        .append(created.token, {
          body: source.stream,
          offset: 0,
          size: length,
          length,
          isLast: true,
          name: wanted.name ?? nameOf(response, wanted.url),
          contentType: response.header("content-type")?.split(";")[0]?.trim() ?? null,
          sha256: null,
          checksum: null,
          contentDigest: null,
        })
        .catch((cause) => {
          // Why the source broke off says more than that the body did.
          throw source.failure() ?? cause;
        });
      if (isCompleted && file !== undefined) deps.onStored(client, upload, file);
    } finally {
      response.close();
    }
  }

  function check(wanted: readonly WantedFile[]): void {
    for (const { url } of wanted) rejectUrl(url, outgoing);
    if (closing.signal.aborted || waiting.length + wanted.length > MAX_WAITING) {
      throw new Fault("unavailable", "Too many files are being fetched. Try again later.", {
        retryAfter: 60,
      });
    }
  }

  return {
    check,
    async start(caller, wanted, client) {
      check(wanted);
      const jobs: Job[] = [];
      try {
        for (const each of wanted) {
          const { folder, onConflict, sha256, visibility } = each;
          const request = { folder, onConflict, sha256, visibility, expiresIn: EXPIRES_IN };
          jobs.push({ wanted: each, client, created: await uploads.create(caller, request) });
        }
        await catalog.saveFetches(jobs.map((job) => record(job, "waiting")));
      } catch (error) {
        for (const { created } of jobs) await uploads.cancel(created.token).catch(() => {});
        throw error;
      }
      waiting.push(...jobs);
      timer ??= setInterval(beat, BEAT_MS);
      runNext();
      return jobs.map(({ created }) => created);
    },
    async stateOf({ id, state: uploadState }) {
      const found = await catalog.fetchOf(id);
      if (found === undefined) return undefined;
      const { state, error, at } = found;
      if (uploadState === "finished") return { state: "done", error: null };
      const isOver = state === "failed" || state === "done";
      return isOver || catalog.now() - at < SILENCE_MS
        ? { state, error }
        : { state: "failed", error: INTERRUPTED };
    },
    prune: (now) => catalog.removeFetches(now - KEPT_MS),
    async close() {
      clearInterval(timer);
      const dropped = waiting.splice(0);
      closing.abort();
      await Promise.race([
        Promise.all([
          ...running.values(),
          save(dropped.map((job) => record(job, "failed", INTERRUPTED))),
        ]),
        sleep(CLOSE_MS),
      ]);
    },
  };
}

function rejectUrl(url: string, outgoing: Pick<Outgoing, "checkUrl">): void {
  try {
    outgoing.checkUrl(url);
  } catch (cause) {
    if (cause instanceof OutgoingFailure) throw new Fault("invalid", cause.message);
    throw cause;
  }
}

function rejectResponse(response: OutgoingResponse): void {
  if (response.status !== 200) {
    throw new OutgoingFailure("broken", `The source answered ${response.status}.`);
  }
  // Stored as it is, the file would be another one than the source means.
  const encoding = response.header("content-encoding") ?? "identity";
  // What comes before the chunks in it is an encoding, too (RFC 9112, section 6.1).
  const transfer = response.header("transfer-encoding") ?? "chunked";
  if (!/^\s*identity\s*$/i.test(encoding) || !/^\s*(?:chunked|identity)\s*$/i.test(transfer)) {
    throw new OutgoingFailure("broken", "The source sends compressed content, unasked.");
  }
}

/** null: the source does not say it. */
function lengthOf(response: OutgoingResponse): number | null {
  const text = response.header("content-length") ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** As the source names it, or the last segment of the URL. null: neither is a name. */
function nameOf(response: OutgoingResponse, url: string): Name | null {
  const given = fileNameOf(response.header("content-disposition") ?? "");
  const text = given ?? lastSegmentOf(url);
  if (text === undefined) {
    throw new Fault("invalid", "Neither the source nor the URL names the file: give its `name`.");
  }
  return parseName(text);
}

function lastSegmentOf(url: string): string | undefined {
  const segment = new URL(url).pathname.split("/").at(-1) ?? "";
  try {
    return segment === "" ? undefined : decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** A body as a stream, which may not be slower than `minimum`, and why it broke off. */
export function failureOf(body: AsyncIterable<Uint8Array>, minimum = MINIMUM_PACE) {
  let failure: unknown;
  const parts = body[Symbol.asyncIterator]();
  const pace = createBodyPace(minimum);
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = await pace.wait(parts.next());
        if (done === true) {
          pace.end();
          controller.close();
          return;
        }
        pace.count(value.length);
        controller.enqueue(value);
      } catch (cause) {
        pace.end();
        failure = cause;
        controller.error(cause);
      }
    },
    async cancel() {
      pace.end();
      await parts.return?.();
    },
  });
  return { stream, failure: () => failure };
}

const textOf = (cause: unknown): string =>
  cause instanceof Fault || cause instanceof OutgoingFailure
    ? cause.message
    : "The file could not be stored.";
