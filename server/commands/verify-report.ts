import { quoteIfNeeded } from "../../contract/text/quote-shell.ts";
import type { Finding } from "../files/verify/finding.ts";
import type { Repaired } from "../files/verify/repair.ts";
import { escapeControlCharacters } from "../terminal/escape-control-characters.ts";

/** Prints each finding and repair immediately, and a summary at the end. */
export interface VerifyReport {
  found(finding: Finding): Promise<void>;
  repaired(repaired: Repaired): Promise<void>;
  end(summary: Summary): Promise<void>;
}

export interface Summary {
  /** Whether contents were compared with their checksums and digests, or only their sizes. */
  readonly depth: "bytes" | "sizes";
  /** false: the catalog is so damaged that nothing else could be checked. */
  readonly complete: boolean;
  readonly seconds: number;
  readonly files: number;
  readonly bytes: number;
  /** Files without a SHA-256, which only the CRC-32 protects. */
  readonly withoutDigest: number;
  readonly passedOver: number;
  /** The folder is a backup, and another backup into it was not finished. */
  readonly isUnfinishedBackup: boolean;
  readonly found: Readonly<Record<Finding["type"], number>>;
  /** null: without --repair. */
  readonly repair: {
    readonly moved: number;
    readonly removed: number;
    /** Quotas whose numbers were wrong. */
    readonly recounted: number;
    /** Its path. null: nothing was moved there. */
    readonly quarantine: string | null;
  } | null;
}

export type WriteLine = (line: string) => Promise<void>;

/** One JSON object per line, the summary last. The fields are an API. */
export function createJsonReport(write: WriteLine): VerifyReport {
  return {
    found: (finding) => write(JSON.stringify(finding)),
    repaired: (repaired) => write(JSON.stringify(repaired)),
    end: (summary) => write(JSON.stringify({ type: "summary", ...summary })),
  };
}

/** The report for humans: an aligned line per finding, then the totals and what to do next in this data folder. */
export function createTextReport(write: WriteLine, dataPath: string): VerifyReport {
  let hasHeadings = false;

  async function row(kind: string, place: string, id: string, what: string): Promise<void> {
    if (!hasHeadings) await write(line("FINDING", "BLOB AT", "FILE OR FOLDER", "DETAILS"));
    hasHeadings = true;
    await write(line(kind, place, id, what));
  }

  return {
    found(finding) {
      const { type } = finding;
      if (type === "catalog") {
        return row(type, "-", finding.id ?? "-", `${finding.problem}: ${finding.detail}`);
      }
      if (type === "foreign") return row(type, finding.place, "-", foreignText(finding));
      const name = finding.key ?? "a file in no folder";
      const what = type === "missing" ? name : `${name}: ${damageText(finding)}`;
      return row(type, finding.place, finding.id, what);
    },
    repaired(repaired) {
      if (repaired.type === "moved") return row(repaired.type, repaired.place, "-", "");
      if (repaired.type === "recounted") {
        return row("counted", "-", repaired.id, "the quota of this folder");
      }
      return row(repaired.type, "-", repaired.id, repaired.key);
    },
    async end(summary) {
      for (const text of [...(hasHeadings ? [""] : []), ...summaryLines(summary, dataPath)]) {
        await write(text);
      }
    },
  };
}

function line(kind: string, place: string, id: string, what: string): string {
  const cells = [
    kind.padEnd(7),
    escapeControlCharacters(place).padEnd(14),
    escapeControlCharacters(id).padEnd(36),
  ];
  return [...cells, escapeControlCharacters(what)].join("  ").trimEnd();
}

function foreignText({ size, leftOver }: Finding & { type: "foreign" }): string {
  const bytes = size === null ? "not a blob of Holdall" : `${number(size)} bytes without a record`;
  return leftOver ? `${bytes}, left by an interrupted upload` : bytes;
}

function damageText(finding: Finding & { type: "damaged" }): string {
  const { reason, size, checksum, sha256, found } = finding;
  if (reason === "unreadable") return "the storage cannot read it";
  if (reason === "size") return `${number(found.size ?? 0)} bytes, not ${number(size)}`;
  if (reason === "digest") return `SHA-256 ${found.sha256}, not ${sha256}`;
  return `CRC-32 ${hex(found.checksum ?? 0)}, not ${hex(checksum)}`;
}

const hex = (sum: number): string => sum.toString(16).padStart(8, "0");
export const number = (value: number): string => value.toLocaleString("en-US");

function summaryLines(summary: Summary, dataPath: string): string[] {
  const { depth, files, bytes, seconds, withoutDigest, passedOver, found, repair } = summary;
  const read = depth === "bytes" ? `${number(bytes)} bytes read` : "sizes only";
  const lines = [`Checked ${number(files)} files, ${read}, in ${seconds.toFixed(1)} s.`];
  if (withoutDigest > 0) {
    lines.push(`${number(withoutDigest)} have no SHA-256 yet: the scrub adds it (SCRUB_EVERY).`);
  }
  if (summary.isUnfinishedBackup) {
    lines.push(
      `The last backup into this folder is unfinished; the one before it was checked. Skipped ${number(passedOver)} blobs: run \`holdall backup ${quoteIfNeeded(dataPath)}\` on its instance again.`,
    );
  } else if (passedOver > 0) {
    lines.push(`Skipped ${number(passedOver)} blobs of uploads that may be in progress.`);
  }
  if (Object.values(found).every((count) => count === 0)) return [...lines, "No problems found."];
  const width = Math.max(...Object.values(found).map((count) => number(count).length));
  const counted = (count: number, text: string): string =>
    `  ${number(count).padStart(width)}  ${text}`;
  lines.push(
    "",
    counted(found.missing, "missing: files without contents"),
    counted(found.damaged, "damaged: contents that are not what was stored"),
    counted(found.foreign, "foreign: orphaned blobs and other files in the store"),
    counted(found.catalog, "catalog: inconsistencies in the catalog"),
    "",
  );
  if (repair !== null) {
    lines.push(
      `Repaired: moved ${number(repair.moved)} foreign, removed ${number(repair.removed)} records without contents.`,
      ...(repair.recounted === 0 ? [] : [`Recounted ${number(repair.recounted)} quotas.`]),
      ...(repair.quarantine === null ? [] : [`They are in the quarantine: ${repair.quarantine}`]),
    );
  }
  return [...lines, ...advice(summary)];
}

function advice({ found, repair, complete }: Summary): string[] {
  const lines: string[] = [];
  if (!complete) {
    lines.push("The catalog file is damaged, so nothing else was checked: restore it first.");
  } else if (found.catalog > 0) {
    lines.push("Restore the catalog from a backup, or see the folders and files named above.");
  }
  if (found.damaged > 0) {
    lines.push(
      "Damaged files are not repaired: restore their contents from a backup, or delete and upload them again.",
    );
  }
  if (found.missing + found.foreign > 0 && repair === null) {
    lines.push("Nothing was changed: restore missing contents from a backup, or use --repair.");
  }
  return lines;
}
