import type { BlobInspection, Blobs } from "../blobs/port.ts";
import type { BlobLedger, FileTree } from "../catalog/port.ts";
import { blockOf } from "../rules/blob-id.ts";
import type { BlobId, FileRecord } from "../rules/records.ts";
import { createFindForeign } from "./find-foreign.ts";
import type { Finding, ForeignBytes, MissingBytes } from "./finding.ts";

/** One thing that a repair did. As JSON this is what programs read, so a field is never renamed. */
export type Repaired =
  /** Foreign bytes, into the quarantine. */
  | { readonly type: "moved"; readonly place: string }
  /** A record without bytes, out of the catalog; the quarantine keeps it. */
  | { readonly type: "removed"; readonly id: string; readonly key: string };

export interface Repair {
  /** Repairs what is found, sooner or later. What it leaves alone it passes over. */
  take(finding: Finding): Promise<void>;
  /** Resolves when everything that was taken is repaired. */
  finish(): Promise<void>;
}

export interface RepairParts {
  readonly catalog: FileTree & BlobLedger;
  readonly blobs: Blobs & BlobInspection;
  readonly quarantine: Quarantine;
  /** Hears of what was done, once it survives a power cut. */
  readonly hear: (repaired: Repaired) => Promise<void> | void;
}

/** Where this repair puts things. */
export interface Quarantine {
  readonly name: string;
  /** Resolves when the records, with all their fields, survive a power cut. */
  keep(records: readonly FileRecord[]): Promise<void>;
}

/** So many findings are repaired together, since each time costs some fsyncs. */
const BATCH = 100;

/**
 * Moves foreign bytes into the quarantine, and takes records without bytes out of the catalog once
 * the quarantine keeps them. Damaged bytes and contradictions of the catalog stay as they are.
 *
 * Each step leaves a state that the next run understands: bytes are moved by one rename, and a
 * record goes only after it was kept. So after a kill at any moment nothing is lost, and the next
 * run does the rest. Nor does it matter who else is at work: everything is asked again right before
 * it is done.
 */
export function createRepair({ catalog, blobs, quarantine, hear }: RepairParts): Repair {
  const foreign: ForeignBytes[] = [];
  const leftOver: ForeignBytes[] = [];
  const missing: MissingBytes[] = [];
  const findForeign = createFindForeign({ ledger: catalog, blobs });
  let last: Promise<void> = Promise.resolve();

  async function moveForeign(findings: readonly ForeignBytes[]): Promise<void> {
    const strange = findings.filter(({ blobId }) => blobId === null);
    const places = strange.map(({ place }) => place);
    for (const [block, ids] of blocksOf(findings)) {
      const still = await findForeign.ofBlock(block, ids);
      if (still !== "passed over") places.push(...still.map(({ place }) => place));
    }
    await move(places);
  }

  /** The leases are taken first: an owner that was only slow must not make files of what is moved. */
  async function moveLeftOver(findings: readonly ForeignBytes[]): Promise<void> {
    const taken = new Set(await catalog.releaseExpiredLeases());
    for (const [block, ids] of blocksOf(findings)) {
      if (!taken.has(block)) continue;
      const known = new Set(await catalog.knownBlobs(block));
      await move(ids.filter((id) => !known.has(id)).map(blobs.placeOf));
    }
  }

  async function move(places: readonly string[]): Promise<void> {
    if (places.length === 0) return;
    for (const place of await blobs.setAside(places, quarantine.name))
      await hear({ type: "moved", place });
  }

  async function removeAll(findings: readonly MissingBytes[]): Promise<void> {
    const lost: FileRecord[] = [];
    for (const { id, blobId } of findings) {
      const file = await catalog.fileById(id);
      const isStill = file?.blobId === blobId && (await blobs.sizeOf(blobId)) === undefined;
      if (file !== undefined && isStill) lost.push(file);
    }
    if (lost.length === 0) return;
    await quarantine.keep(lost);
    const gone = new Set(
      await catalog.dropRecords(lost.map(({ id, blobId }) => ({ fileId: id, blobId }))),
    );
    for (const { id, key } of lost) if (gone.has(id)) await hear({ type: "removed", id, key });
  }

  function inTurn(work: () => Promise<void>): Promise<void> {
    const run = last.then(work);
    last = run.catch(() => {});
    return run;
  }

  const flush = (least: number): Promise<void> =>
    inTurn(async () => {
      if (foreign.length >= least) await moveForeign(foreign.splice(0));
      if (missing.length >= least) await removeAll(missing.splice(0));
    });

  return {
    async take(finding) {
      if (finding.type === "missing") missing.push(finding);
      else if (finding.type === "foreign") (finding.leftOver ? leftOver : foreign).push(finding);
      if (foreign.length >= BATCH || missing.length >= BATCH) await flush(BATCH);
    },
    async finish() {
      await flush(1);
      // Taking a lease hides its block from whoever still looks for what is foreign.
      if (leftOver.length > 0) await inTurn(() => moveLeftOver(leftOver.splice(0)));
    },
  };
}

function blocksOf(findings: readonly ForeignBytes[]): Map<number, BlobId[]> {
  const ids = findings.flatMap(({ blobId }) => (blobId === null ? [] : [blobId]));
  return Map.groupBy(ids, blockOf);
}
