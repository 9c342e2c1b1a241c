import type { Tx } from "../tx.ts";
import { addFirstAccount, setEmail, setPassword } from "./accounts.ts";
import { addActivity, removeActivity } from "./activity.ts";
import { addFiles } from "./add-files.ts";
import { addApiKey, removeApiKey, renameApiKey } from "./api-keys.ts";
import { changeFile } from "./change-file.ts";
import { changeFolder } from "./change-folder.ts";
import { createFolder } from "./create-folder.ts";
import { dropRecords } from "./drop-records.ts";
import { emptyRemoved } from "./empty-removed.ts";
import { endHold, keepHold, liveHolds, takeHold } from "./holds.ts";
import {
  closeBlock,
  disownAll,
  disownBlock,
  forgetBlobs,
  keepLeases,
  lapsedBlocks,
  leaseBlock,
  leaseOf,
} from "./leases.ts";
import { noteUse } from "./note-use.ts";
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
  emptyRemoved,
  leaseBlock,
  keepLeases,
  lapsedBlocks,
  leaseOf,
  disownAll,
  disownBlock,
  closeBlock,
  forgetBlobs,
  takeHold,
  keepHold,
  endHold,
  liveHolds,
  dropRecords,
  addApiKey,
  renameApiKey,
  removeApiKey,
  noteUse,
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
export const bigChanges: ReadonlySet<ChangeName> = new Set([
  "changeFolder",
  "removeFolder",
  "emptyRemoved",
]);

/**
 * Changes that store more, or may write a great deal. On a full volume they are refused, while all
 * others may use the room that is set aside.
 */
export const fillers: ReadonlySet<ChangeName> = new Set([
  "addFiles",
  "createFolder",
  "changeFolder",
  "leaseBlock",
  "noteUse",
  // Nobody waits for these, and they would go on until the room is used up.
  "addActivity",
  "addTraffic",
]);
