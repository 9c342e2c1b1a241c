import type { BlobInspection } from "../blobs/port.ts";
import type { BlobLedger, FileTree, StoredBlob, StoredSettings } from "../catalog/port.ts";
import { createCheckBlob } from "./check-blob.ts";
import type { DamagedBytes, MissingBytes } from "./finding.ts";
import { createPacer, Stopped } from "./pacer.ts";
import { keepScrub, readScrub, type ScrubState } from "./scrub-state.ts";

/** Reads every file once in a while, slowly, so that bytes which have rotted are known in time. */
export interface Scrub {
  /** Keeps where it is; the next process goes on from there. */
  stop(): Promise<void>;
}

export interface ScrubParts {
  readonly catalog: FileTree & BlobLedger & StoredSettings;
  readonly blobs: BlobInspection;
  /** Milliseconds from the start of one scrub to the start of the next. */
  readonly every: number;
  /** Bytes a second. */
  readonly rate: number;
  /** Hears of each damaged file once, also when later scrubs find it again. */
  readonly onFinding: (finding: MissingBytes | DamagedBytes) => void;
  readonly onFinish: (state: ScrubState) => void;
  readonly onError: (message: string, cause: unknown) => void;
}

/** Opening a file costs about as much as reading so many bytes: small files must not come too fast. */
const LEAST_COST = 64 * 1024;
/** Records that are read together, on the thread that serves. */
const BATCH = 50;
/** What a kill makes the next process read again. */
const KEEP_EVERY_MS = 30_000;
const MOST_KEPT = 1000;
const RETRY_MS = 600_000;
/** A timer cannot wait for more than some weeks. */
const LONGEST_WAIT = 3_600_000;

export function startScrub(parts: ScrubParts): Scrub {
  const { catalog, blobs, every, onFinding, onError } = parts;
  const pacer = createPacer(parts.rate);
  let state: ScrubState | undefined;
  let keptAt = performance.now();

  const check = createCheckBlob({
    catalog,
    blobs,
    pace(chunk) {
      if (state !== undefined) state.bytes += chunk.byteLength;
      return pacer.spend(chunk.byteLength);
    },
  });

  async function run(): Promise<void> {
    for (;;) {
      try {
        state ??= await readScrub(catalog);
        await waitUntilDue(state);
        if (state === undefined || state.finishedAt !== null) state = begin(state);
        await goOn(state);
        parts.onFinish(state);
      } catch (cause) {
        if (cause instanceof Stopped) return;
        onError("The scrub broke off; it goes on later", cause);
        await pacer.wait(RETRY_MS);
      }
    }
  }

  async function waitUntilDue(last: ScrubState | undefined): Promise<void> {
    if (last === undefined || last.finishedAt === null) return;
    for (;;) {
      const left = last.startedAt + every - Date.now();
      if (left <= 0) return;
      await pacer.wait(Math.min(left, LONGEST_WAIT));
    }
  }

  async function goOn(current: ScrubState): Promise<void> {
    for (;;) {
      const batch = await catalog.blobsAfter(current.position, BATCH);
      if (batch.length === 0) break;
      for (const stored of batch) {
        const finding = await checkOne(stored, current);
        current.position = stored.blobId;
        current.files += 1;
        if (finding !== undefined) await note(finding, current);
        if (performance.now() > keptAt + KEEP_EVERY_MS) await keep(current);
      }
    }
    current.finishedAt = Date.now();
    current.earlier = [];
    await keep(current);
  }

  async function checkOne(
    stored: StoredBlob,
    current: ScrubState,
  ): Promise<MissingBytes | DamagedBytes | undefined> {
    await pacer.spend(Math.max(0, LEAST_COST - stored.size));
    const { bytes } = current;
    try {
      return await check(stored, "bytes");
    } catch (cause) {
      // The next try reads it from its beginning.
      current.bytes = bytes;
      throw cause;
    }
  }

  async function note(finding: MissingBytes | DamagedBytes, current: ScrubState): Promise<void> {
    current.found += 1;
    if (current.findings.length < MOST_KEPT) {
      current.findings.push(finding);
      // Kept before it is told, so that no restart tells it again. What is kept is large by the
      // time that there are many: past them, as when a volume is lost, it is left to the clock.
      await keep(current);
    }
    if (!current.earlier.includes(finding.id)) onFinding(finding);
  }

  async function keep(current: ScrubState): Promise<void> {
    keptAt = performance.now();
    await keepScrub(catalog, current);
  }

  const running = run().catch((cause) => {
    if (!(cause instanceof Stopped)) onError("The scrub has ended", cause);
  });

  return {
    async stop() {
      pacer.stop();
      await running;
      if (state === undefined || state.finishedAt !== null) return;
      await keep(state).catch((cause) => onError("The scrub's position was not kept", cause));
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
