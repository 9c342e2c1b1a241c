import { setTimeout as wait } from "node:timers/promises";
import {
  type Download,
  type FileObject,
  type Files,
  type Holdall,
  HoldallError,
} from "../../sdk/src/holdall.ts";
import { DigestError, isUnavailable } from "./exit-codes.ts";
import type { PartialFile } from "./local/partial-file.ts";

export interface FetchOptions {
  readonly signal: AbortSignal;
  /** Called with the bytes that were stored; negative: they were removed and will be fetched again. */
  readonly onBytes: (bytes: number) => void;
}

/** The content that a response belongs to. */
interface Version {
  /** In bytes; undefined: the response says only where it ends. */
  readonly total: number | undefined;
  readonly etag: string | undefined;
  /** null: the server has not computed it yet. */
  readonly sha256: string | null;
}

/** Attempts without a new byte before the download fails. They take about a minute. */
const MAX_ATTEMPTS = 8;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;
/** A connection that is silent for this time is closed. */
const SILENCE_MS = 60_000;

/**
 * Fetches the missing bytes of a file, with new requests after interruptions, and starts again if the
 * file changes. Returns the SHA-256 that the server gave and the bytes have; null: it has none yet.
 * Throws `DigestError` if the bytes have another one.
 */
export async function fetchContent(
  { files }: Holdall,
  file: FileObject,
  part: PartialFile,
  { signal, onBytes }: FetchOptions,
): Promise<string | null> {
  let version: Version | undefined;
  // The bytes of an earlier run are of this version only if the digest is right in the end.
  let isResumed = part.size() > 0;
  if (part.size() >= file.size && isResumed) {
    const { sha256 } = await files.digest(file.id, { signal });
    if (sha256 !== null && sha256 === part.digest()) return sha256;
    await restart();
  }

  async function restart(): Promise<void> {
    onBytes(-part.size());
    await part.restart();
    version = undefined;
    isResumed = false;
  }

  /** undefined: it has to start again. */
  async function attempt(): Promise<string | null | undefined> {
    const start = part.size();
    const download = await request(files, file.id, start, version?.etag, signal);
    if (download === undefined) return void (await restart());
    const found = await versionOf(files, file.id, download, signal);
    const isWhole = download.range === undefined;
    if (start > 0 && isWhole) await restart();
    const isOther = version !== undefined && !isSame(version, found);
    // Without a digest, nothing would show that the parts do not belong together.
    if (!isWhole && (isOther || (isResumed && found.sha256 === null))) {
      await download.body.cancel();
      return void (await restart());
    }
    version = found;
    await store(download, found.total, part, onBytes);
    if (found.sha256 === null || part.digest() === found.sha256) return found.sha256;
    if (isResumed) return void (await restart());
    throw new DigestError(
      `The bytes that arrived have the SHA-256 ${part.digest()}, but the server has ${found.sha256}. They were removed.`,
    );
  }

  for (let failures = 0; ; ) {
    const before = part.size();
    try {
      const sha256 = await attempt();
      if (sha256 !== undefined) return sha256;
      failures += 1;
      if (failures >= MAX_ATTEMPTS) throw new Error("The file changes faster than it can be read.");
    } catch (error) {
      signal.throwIfAborted();
      if (!isUnavailable(error)) throw error;
      failures = part.size() > before ? 1 : failures + 1;
      if (failures >= MAX_ATTEMPTS) throw error;
      const delay = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1));
      await wait(delay, undefined, { signal });
    }
  }
}

/** Asks for the bytes from `start` on. undefined: the file has no byte there. */
async function request(
  files: Files,
  id: string,
  start: number,
  ifRange: string | undefined,
  signal: AbortSignal,
): Promise<Download | undefined> {
  if (start === 0) return files.download(id, { wantDigest: true, signal });
  try {
    return await files.download(id, { range: { start }, ifRange, wantDigest: true, signal });
  } catch (error) {
    if (error instanceof HoldallError && error.status === 416) return undefined;
    throw error;
  }
}

/**
 * Redirects to another store have no digest, so the server is asked for it. Not for a missing length, as
 * responses from an S3 store have none: a connection that breaks off before the body is read loses
 * what has arrived.
 */
async function versionOf(
  files: Files,
  id: string,
  { range, size, etag, sha256 }: Download,
  signal: AbortSignal,
): Promise<Version> {
  return {
    total: range?.size ?? (size > 0 ? size : undefined),
    etag,
    sha256: sha256 ?? (await files.digest(id, { signal })).sha256,
  };
}

const isSame = (one: Version, other: Version): boolean =>
  (one.total ?? other.total) === (other.total ?? one.total) &&
  one.sha256 === other.sha256 &&
  one.etag === other.etag;

/** `total`: undefined: up to the end of the response. */
async function store(
  { body }: Download,
  total: number | undefined,
  part: PartialFile,
  onBytes: FetchOptions["onBytes"],
): Promise<void> {
  const reader = body.getReader();
  try {
    while (total === undefined || part.size() < total) {
      const { done, value } = await readNext(reader);
      if (done && total === undefined) return;
      if (done) throw new HoldallError(0, "The connection closed before the file was complete.");
      const chunk = total === undefined ? value : value.subarray(0, total - part.size());
      await part.append(chunk);
      onBytes(chunk.length);
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

async function readNext(reader: ReadableStreamDefaultReader<Uint8Array>) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    const late = new Error(`The server sent nothing for ${SILENCE_MS / 1_000} s.`);
    timer = setTimeout(() => reject(late), SILENCE_MS);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } catch (cause) {
    throw new HoldallError(0, "The connection was interrupted.", { cause });
  } finally {
    clearTimeout(timer);
  }
}
