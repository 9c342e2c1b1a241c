import type { BlobInspection, Blobs } from "../blobs/port.ts";
import type { Catalog } from "../catalog/port/catalog.ts";
import type { Config } from "../config/config.ts";
import type { Finding } from "../files/verify/finding.ts";
import { createRepair, type Repair } from "../files/verify/repair.ts";
import { type Tally, verify } from "../files/verify/verify.ts";
import { noteVerification, type VerificationRecord } from "../health/maintenance-records.ts";
import { forgetLoss, readLoss } from "../instance/lost-records.ts";
import { type LossNote, readMarker } from "../instance/marker.ts";
import { openInstance } from "../instance/open-instance.ts";
import { createQuarantine } from "../instance/quarantine.ts";
import { createTerminal, type Terminal } from "../terminal/terminal.ts";
import { UsageError } from "../terminal/usage-error.ts";
import { describeError } from "./describe-error.ts";
import { lastScrub } from "./last-scrub.ts";
import {
  createJsonReport,
  createTextReport,
  number,
  type Summary,
  type VerifyReport,
} from "./verify-report.ts";

/** The parts of an instance that `verify` needs. */
interface Verification {
  readonly catalog: Catalog;
  readonly blobs: Blobs & BlobInspection;
  readonly quarantine: ReturnType<typeof createQuarantine>;
  readonly dataPath: string;
}

export interface VerifyFlags {
  readonly repair: boolean;
  readonly json: boolean;
  readonly quick: boolean;
  readonly last: boolean;
}

/** Exit codes. */
const NO_FINDINGS = 0;
const FINDINGS = 1;
const CHECK_FAILED = 3;

/**
 * `verify [--quick] [--repair] [--json]`, `verify --last [--json]`: works with or without a running
 * server. Returns the exit code.
 */
export async function verifyCommand(
  readConfig: () => Promise<Config>,
  rest: readonly string[],
  flags: VerifyFlags,
): Promise<number> {
  if (rest.length > 0) throw new UsageError("`verify` takes options only.");
  if (flags.last && (flags.repair || flags.quick)) {
    throw new UsageError("--last only shows the last scrub: leave out --repair and --quick.");
  }
  const terminal = createTerminal();
  try {
    const found = await withVerification(await readConfig(), (parts) =>
      flags.last ? lastScrub(parts.catalog, flags.json, terminal) : check(parts, flags, terminal),
    );
    return found === 0 ? NO_FINDINGS : FINDINGS;
  } catch (error) {
    terminal.end();
    const message = describeError(error);
    if (flags.json) await terminal.line(JSON.stringify({ type: "error", message }));
    console.error(`Could not verify: ${message}`);
    return CHECK_FAILED;
  }
}

async function withVerification<T>(
  config: Config,
  work: (parts: Verification) => Promise<T>,
): Promise<T> {
  const onError = (message: string): void => console.error(message);
  const instance = await openInstance(config, { mode: "inspection", onError });
  try {
    const { catalog, folder } = instance;
    const { blobs } = await instance.openBlobs();
    const { path: dataPath } = folder;
    const quarantine = createQuarantine(dataPath, new Date());
    return await work({ catalog, blobs, quarantine, dataPath });
  } finally {
    await instance.close();
  }
}

/** Returns the number of findings. */
async function check(parts: Verification, flags: VerifyFlags, terminal: Terminal): Promise<number> {
  const { catalog, blobs, quarantine, dataPath } = parts;
  const startedAt = performance.now();
  const report = flags.json
    ? createJsonReport(terminal.line)
    : createTextReport(terminal.line, dataPath);
  const found = { missing: 0, damaged: 0, foreign: 0, catalog: 0 };
  const repair = flags.repair ? await createReportedRepair(parts, report) : undefined;
  const totals = await catalog.storedTotals();
  const depth = flags.quick ? "sizes" : "bytes";

  const onFinding = async (finding: Finding): Promise<void> => {
    found[finding.type] += 1;
    await report.found(finding);
    await repair?.take(finding);
  };
  const count = () => Object.values(found).reduce((sum, each) => sum + each, 0);
  const progress = (tally: Tally): void =>
    terminal.progress(() => progressText(tally, totals, count()));
  const loss = readLoss(dataPath);
  if (loss !== undefined) await onFinding(lossFinding(loss));
  // What the unfinished backup has copied has no record yet, and the next run keeps or removes it.
  const isUnfinishedBackup = readMarker(dataPath)?.isRenewed === true;
  let ofBackup = 0;
  const tally = await verify({
    catalog,
    blobs,
    depth,
    progress,
    async onFinding(finding) {
      if (isUnfinishedBackup && finding.type === "foreign") ofBackup += 1;
      else await onFinding(finding);
    },
  });
  const { files, bytes, withoutDigest, isComplete } = tally;
  const passedOver = tally.passedOver + ofBackup;
  await repair?.finish();
  // Blobs that were skipped may belong to lost records, too.
  const endsLoss = repair !== undefined && isComplete && passedOver === 0;
  if (endsLoss) forgetLoss(dataPath);
  await noteResult(parts, {
    finishedAt: Date.now(),
    quick: flags.quick,
    repaired: flags.repair,
    files,
    bytes,
    ...found,
    // The lost records are dealt with.
    catalog: found.catalog - (endsLoss && loss !== undefined ? 1 : 0),
  });
  terminal.end();
  const done: Summary["repair"] = repair === undefined ? null : repair.done(quarantine.path);
  const seconds = Math.round(performance.now() - startedAt) / 1000;
  await report.end({
    depth,
    complete: isComplete,
    seconds,
    files,
    bytes,
    withoutDigest,
    passedOver,
    isUnfinishedBackup,
    found,
    repair: done,
  });
  return count();
}

/** Stores the result for the Health page. It is shown also if the catalog cannot store it. A backup stays as it is. */
async function noteResult(
  { catalog, dataPath }: Verification,
  record: VerificationRecord,
): Promise<void> {
  if (readMarker(dataPath)?.backupOf !== undefined) return;
  await noteVerification(catalog, record).catch(() => {});
}

const lossFinding = ({ since, reason }: LossNote): Finding => ({
  type: "catalog",
  problem: "lost-records",
  id: null,
  detail: `${reason} Noted ${since}; blobs without a record are moved to the quarantine.`,
});

/** A repair that reports and counts what it does. Error: the blob store is empty. */
async function createReportedRepair(
  { catalog, blobs, quarantine }: Verification,
  report: VerifyReport,
): Promise<Repair & { done(path: string): NonNullable<Summary["repair"]> }> {
  const [isEmpty, { files }] = [await isStoreEmpty(blobs), await catalog.storedTotals()];
  if (isEmpty && files > 0) {
    throw new Error(
      `the catalog has ${number(files)} files, but the blob store is empty: mount the missing volume or restore the blobs. Nothing was changed.`,
    );
  }
  const counts = { moved: 0, removed: 0, recounted: 0 };
  const onRepaired = async (repaired: Parameters<VerifyReport["repaired"]>[0]): Promise<void> => {
    counts[repaired.type] += 1;
    await report.repaired(repaired);
  };
  const repair = createRepair({ catalog, blobs, quarantine, onRepaired });
  return {
    ...repair,
    done: (path) => {
      const { moved, removed, recounted } = counts;
      return { moved, removed, recounted, quarantine: moved + removed > 0 ? path : null };
    },
  };
}

async function isStoreEmpty(blobs: Verification["blobs"]): Promise<boolean> {
  for await (const block of blobs.listBlocks()) {
    if ((await blobs.listBlock(block)).length > 0) return false;
  }
  return true;
}

function progressText(
  { files, bytes }: Tally,
  totals: { readonly files: number; readonly bytes: number },
  found: number,
): string {
  const share = bytes > 0 ? bytes / Math.max(1, totals.bytes) : files / Math.max(1, totals.files);
  const percent = `${Math.min(100, Math.floor(share * 100))} %`;
  return `${percent.padStart(5)}  ${number(files)} of ${number(totals.files)} files, ${number(bytes)} bytes read, ${number(found)} findings`;
}
