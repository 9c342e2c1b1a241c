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
  /**
   * Starts a scrub now; nothing if one is running. Resolves once its state is saved, or it cannot be
   * saved and the start is tried again later.
   */
  startNow(): Promise<void>;
  /** Saves the position, from which the next process continues. */
  stop(): Promise<void>;
}

export interface ScrubDeps {
  readonly catalog: FileTree & BlobLedger & StoredSettings;
  readonly blobs: BlobInspection;
  /** From the start of one scrub to the start of the next; null: only when it is asked for. */
  readonly intervalMs: number | null;
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

export function startScrub(deps: ScrubDeps): Scrub {
  const { catalog, blobs, intervalMs, onFinding, onError } = deps;
  const pacer = createPacer(deps.rate);
  let state: ScrubState | undefined;
  let savedAt = performance.now();
  /** Resolves when the scrub that callers wait for has started. */
  let request: PromiseWithResolvers<void> | undefined;
  let wake = Promise.withResolvers<void>();
  let isRunning = false;
  const digests: NewDigest[] = [];

  const check = createCheckBlob({
    catalog,
    blobs,
    pace(chunk) {
      if (state !== undefined) state.bytes += chunk.byteLength;
      return pacer.spend(chunk.byteLength);
    },
    pause: pacer.wait,
    onDigest: (digest) => void digests.push(digest),
  });

  async function run(): Promise<void> {
    for (;;) {
      try {
        state ??= await readScrub(catalog);
        await waitUntilDue(state);
        if (state === undefined || state.finishedAt !== null) state = begin(state);
        isRunning = true;
        if (request !== undefined) await admitRequest(state);
        await checkRest(state);
        isRunning = false;
        deps.onFinish(state);
      } catch (cause) {
        isRunning = false;
        resolveRequest();
        if (cause instanceof Stopped) return;
        onError("The scrub was interrupted and continues later", cause);
        await waitOrWake(RETRY_MS);
      }
    }
  }

  async function waitUntilDue(last: ScrubState | undefined): Promise<void> {
    while (request === undefined) {
      const left = millisUntilDue(last);
      if (left <= 0) return;
      await waitOrWake(Math.min(left, MAX_WAIT_MS));
    }
  }

  function millisUntilDue(last: ScrubState | undefined): number {
    if (last?.finishedAt === null && last.requested === true) return 0;
    if (intervalMs === null) return Number.POSITIVE_INFINITY;
    return last === undefined || last.finishedAt === null
      ? 0
      : last.startedAt + intervalMs - Date.now();
  }

  const waitOrWake = (milliseconds: number): Promise<void> =>
    Promise.race([pacer.wait(milliseconds), wake.promise]);

  /** The state is saved at once, so that the client that asked sees it at once. */
  async function admitRequest(current: ScrubState): Promise<void> {
    current.requested = true;
    await save(current);
    resolveRequest();
  }

  function resolveRequest(): void {
    request?.resolve();
    request = undefined;
    wake = Promise.withResolvers<void>();
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
    delete current.previous;
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
    async startNow() {
      if (isRunning) return;
      request ??= Promise.withResolvers<void>();
      const { promise } = request;
      wake.resolve();
      await Promise.race([promise, running]);
    },
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
    startedAt: Date.now(),
    finishedAt: null,
    position: -1,
    files: 0,
    bytes: 0,
    found: 0,
    findings: [],
    earlier: last?.findings.map(({ id }) => id) ?? [],
    ...(last !== undefined && {
      previous: { found: last.found, blobIds: last.findings.map(({ blobId }) => blobId) },
    }),
  };
}
