import type { Tx } from "../tx.ts";
import { addFirstAccount, setEmail, setPassword } from "./accounts.ts";
import { addActivity, removeActivity } from "./activity.ts";
import { addFiles } from "./add-files.ts";
import { addApiKey, removeApiKey, renameApiKey } from "./api-keys.ts";
import {
  endBackupHold,
  removeExpiredHolds,
  renewBackupHold,
  startBackupHold,
} from "./backup-holds.ts";
import { changeFile } from "./change-file.ts";
import { changeFolder } from "./change-folder.ts";
import { createFolder } from "./create-folder.ts";
import { dropRecords } from "./drop-records.ts";
import { emptyRemovedFolders } from "./empty-removed-folders.ts";
import {
  endLease,
  forgetCondemnedBlobs,
  leaseBlock,
  leaseState,
  releaseExpiredLeases,
  releaseLease,
  releaseLeasesOf,
  renewLeases,
} from "./leases.ts";
import { recordUse } from "./record-use.ts";
import { removeFiles } from "./remove-files.ts";
import { removeFolder } from "./remove-folder.ts";
import {
  addSession,
  removeExpiredSessions,
  removeOtherSessions,
  removeSession,
} from "./sessions.ts";
import { claimSetting, putSettings } from "./settings.ts";
import { addTraffic, removeTraffic } from "./traffic.ts";

/** Every change that a catalog can make, by name: names and inputs cross threads. */
const all = {
  addFiles,
  changeFile,
  removeFiles,
  createFolder,
  changeFolder,
  removeFolder,
  emptyRemovedFolders,
  leaseBlock,
  renewLeases,
  releaseExpiredLeases,
  leaseState,
  releaseLeasesOf,
  releaseLease,
  endLease,
  forgetCondemnedBlobs,
  startBackupHold,
  renewBackupHold,
  endBackupHold,
  removeExpiredHolds,
  dropRecords,
  addApiKey,
  renameApiKey,
  removeApiKey,
  recordUse,
  addFirstAccount,
  setEmail,
  setPassword,
  addSession,
  removeSession,
  removeOtherSessions,
  removeExpiredSessions,
  claimSetting,
  putSettings,
  addActivity,
  removeActivity,
  addTraffic,
  removeTraffic,
};

type All = typeof all;
export type ChangeName = keyof All;
export type ChangeInputs = { [N in ChangeName]: Parameters<All[N]>[1] };
export type ChangeResults = { [N in ChangeName]: Awaited<ReturnType<All[N]>> };

export const changes: {
  readonly [N in ChangeName]: (tx: Tx, input: ChangeInputs[N]) => Promise<ChangeResults[N]>;
} = all;

/** Changes that may touch a great many records: nothing else should have to wait for their commit. */
export const longChanges: ReadonlySet<ChangeName> = new Set([
  "changeFolder",
  "removeFolder",
  "emptyRemovedFolders",
]);

/**
 * Changes that store more, or may write a great deal. On a full volume they are refused, while all
 * others may use the room that is set aside.
 */
export const growingChanges: ReadonlySet<ChangeName> = new Set([
  "addFiles",
  "createFolder",
  "changeFolder",
  "leaseBlock",
  "recordUse",
  // Nobody waits for these, and they would go on until the room is used up.
  "addActivity",
  "addTraffic",
]);
