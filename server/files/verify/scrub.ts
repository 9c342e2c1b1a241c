import type { BlobInspection } from "../../blobs/port.ts";
import type { BlobLedger, NewDigest, StoredBlob } from "../../catalog/port/blob-ledger.ts";
import type { StoredSettings } from "../../catalog/port/credentials.ts";
import type { FileTree } from "../../catalog/port/file-tree.ts";
import { createCheckBlob } from "./check-blob.ts";
import type { DamagedBlob, MissingBlob } from "./finding.ts";
import { createPacer, Stopped } from "./pacer.ts";
import { readScrub, type ScrubState, saveScrub } from "./scrub-state.ts";

/**
 * Periodically reads every file at a low rate, to detect bit rot in time. Adds the digests of files that
 * have none.
 */
export interface Scrub {
  /** Saves the position, from which the next process continues. */
  stop(): Promise<void>;
}

export interface ScrubParts {
  readonly catalog: FileTree & BlobLedger & StoredSettings;
  readonly blobs: BlobInspection;
  /** From the start of one scrub to the start of the next. */
  readonly intervalMs: number;
  /** Bytes per second. */
  readonly rate: number;
  /** Called once for each damaged file, even if later scrubs find it again. */
  readonly onFinding: (finding: MissingBlob | DamagedBlob) => void;
  readonly onFinish: (state: ScrubState) => void;
  readonly onError: (message: string, cause: unknown) => void;
}

/** Opening a file costs about as much as reading this many bytes, so smaller files count as this. */
const MIN_COST = 64 * 1024;
/** Records per query, which runs on the thread that serves requests. */
const BATCH = 50;
/** After a crash, the next process repeats at most this much work. */
const SAVE_INTERVAL_MS = 30_000;
const MAX_FINDINGS = 1000;
const RETRY_MS = 600_000;
/** Timers cannot run for more than 24 days. */
const MAX_WAIT_MS = 3_600_000;

export function startScrub(parts: ScrubParts): Scrub {
  const { catalog, blobs, intervalMs, onFinding, onError } = parts;
  const pacer = createPacer(parts.rate);
  let state: ScrubState | undefined;
  let savedAt = performance.now();
  const digests: NewDigest[] = [];

  const check = createCheckBlob({
    catalog,
    blobs,
    pace(chunk) {
      if (state !== undefined) state.bytes += chunk.byteLength;
      return pacer.spend(chunk.byteLength);
    },
    onDigest: (digest) => void digests.push(digest),
  });

  async function run(): Promise<void> {
    for (;;) {
      try {
        state ??= await readScrub(catalog);
        await waitUntilDue(state);
        if (state === undefined || state.finishedAt !== null) state = begin(state);
        await checkRest(state);
        parts.onFinish(state);
      } catch (cause) {
        if (cause instanceof Stopped) return;
        onError("The scrub was interrupted and continues later", cause);
        await pacer.wait(RETRY_MS);
      }
    }
  }

  async function waitUntilDue(last: ScrubState | undefined): Promise<void> {
    if (last === undefined || last.finishedAt === null) return;
    for (;;) {
      const left = last.startedAt + intervalMs - Date.now();
      if (left <= 0) return;
      await pacer.wait(Math.min(left, MAX_WAIT_MS));
    }
  }

  async function checkRest(current: ScrubState): Promise<void> {
    for (;;) {
      const batch = await catalog.blobsAfter(current.position, BATCH);
      if (batch.length === 0) break;
      for (const stored of batch) {
        const finding = await checkOne(stored, current);
        current.position = stored.blobId;
        current.files += 1;
        if (finding !== undefined) await record(finding, current);
        if (performance.now() > savedAt + SAVE_INTERVAL_MS) await save(current);
      }
      await addDigests();
    }
    current.finishedAt = Date.now();
    current.earlier = [];
    await save(current);
  }

  async function checkOne(
    stored: StoredBlob,
    current: ScrubState,
  ): Promise<MissingBlob | DamagedBlob | undefined> {
    await pacer.spend(Math.max(0, MIN_COST - stored.size));
    const { bytes } = current;
    try {
      return await check(stored, "bytes");
    } catch (cause) {
      // The next attempt reads the file from its beginning.
      current.bytes = bytes;
      throw cause;
    }
  }

  async function record(finding: MissingBlob | DamagedBlob, current: ScrubState): Promise<void> {
    current.found += 1;
    if (current.findings.length < MAX_FINDINGS) {
      current.findings.push(finding);
      // Saved before it is reported, so that no restart reports it again. Beyond the maximum (a lost
      // volume), the large state is saved only at intervals.
      await save(current);
    }
    if (!current.earlier.includes(finding.id)) onFinding(finding);
  }

  async function save(current: ScrubState): Promise<void> {
    savedAt = performance.now();
    await addDigests();
    await saveScrub(catalog, current);
  }

  /** The next scrub finds again what cannot be added, such as on a full disk. */
  async function addDigests(): Promise<void> {
    const found = digests.splice(0);
    if (found.length === 0) return;
    await catalog
      .addDigests(found)
      .catch((cause) => onError("Could not add the digests of older files", cause));
  }

  const running = run().catch((cause) => {
    if (!(cause instanceof Stopped)) onError("The scrub has stopped", cause);
  });

  return {
    async stop() {
      pacer.stop();
      await running;
      if (state === undefined || state.finishedAt !== null) return;
      await save(state).catch((cause) =>
        onError("Could not save the position of the scrub", cause),
      );
    },
  };
}

function begin(last: ScrubState | undefined): ScrubState {
  return {
    ...{ startedAt: Date.now(), finishedAt: null, position: -1, files: 0, bytes: 0, found: 0 },
    findings: [],
    earlier: last?.findings.map(({ id }) => id) ?? [],
  };
}
