import { copyFileSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { CatalogLoss } from "../catalog/driver.ts";
import { commandLine } from "../config/command-line.ts";
import type { LostRecords } from "../files/lost-records.ts";
import type { DataFolder } from "../fs/data-folder-layout.ts";
import { fsyncFileSync, fsyncFolderSync } from "../fs/fsync.ts";
import { type LossNote, readMarker, writeMarker } from "./marker.ts";
import type { OnError } from "./mode.ts";
import { createQuarantine } from "./quarantine.ts";

/*
 * The note that the catalog has lost records is in the marker, not in the catalog: it must be durable
 * before the catalog is opened, and survive when the catalog is replaced.
 */

/** The state of this data folder, which all its processes share. */
export function createLostRecords({ path }: DataFolder, onError: OnError): LostRecords {
  const quarantine = createQuarantine(path, new Date());
  return {
    isSuspected: () => readLoss(path) !== undefined,
    suspect(reason) {
      noteLoss(path, reason);
      onError(`damage: ${lossText(path, reason)}`);
    },
    quarantine: quarantine.name,
    onMoved: (count) =>
      onError(`damage: moved ${count} blobs without a record to the quarantine ${quarantine.path}`),
  };
}

/**
 * Notes the loss and keeps a copy of the damaged file in the quarantine. Returns what to tell the
 * operator. Error: the note cannot be written.
 */
export function keepDamagedFile({ path }: DataFolder, { reason, file }: CatalogLoss): string {
  noteLoss(path, reason);
  const folder = join(path, "quarantine");
  const quarantine = createQuarantine(path, new Date()).path;
  try {
    mkdirSync(quarantine, { recursive: true, mode: 0o700 });
    const copy = join(quarantine, basename(file));
    copyFileSync(file, copy);
    fsyncFileSync(copy);
    for (const each of [quarantine, folder, path]) fsyncFolderSync(each);
    return `${lossText(path, reason)} A copy is in ${quarantine}.`;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `${lossText(path, reason)} It could not be copied to the quarantine: ${why}.`;
  }
}

/** undefined: no record is known to be lost. */
export function readLoss(path: string): LossNote | undefined {
  return readMarker(path)?.lostRecords;
}

/** Reports a loss that an earlier process noted. */
export function reportLoss({ path }: DataFolder, onError: OnError): void {
  const loss = readLoss(path);
  if (loss !== undefined) onError(`damage, noted ${loss.since}: ${lossText(path, loss.reason)}`);
}

/** Ends the state, once a repair has found every blob without a record. */
export function forgetLoss(path: string): void {
  const { lostRecords, ...marker } = readMarker(path) ?? {};
  if (lostRecords !== undefined) writeMarker(path, marker);
}

function noteLoss(path: string, reason: string): void {
  const marker = readMarker(path) ?? {};
  if (marker.lostRecords !== undefined) return;
  writeMarker(path, { ...marker, lostRecords: { since: new Date().toISOString(), reason } });
}

const lossText = (dataPath: string, reason: string): string =>
  `${reason} Acknowledged changes are lost. Until you run \`${commandLine({ dataPath }, "verify --repair")}\`, blobs without a record are moved to the quarantine instead of removed.`;
