import type { Actor } from "../../rules/activity.ts";
import type { Tx } from "../tx.ts";
import { addFirstAccount, resetSignIn, setEmail, setPassword } from "./accounts.ts";
import { addActivity, removeActivity } from "./activity.ts";
import { addBatch } from "./add-batch.ts";
import { addCharset } from "./add-charset.ts";
import { addDigests } from "./add-digests.ts";
import { addFiles } from "./add-files.ts";
import { addFilesTogether } from "./add-files-together.ts";
import { addUpload } from "./add-upload.ts";
import { keepBatch } from "./admit-visitor.ts";
import { addApiKey, removeApiKey, renameApiKey, rotateApiKey } from "./api-keys.ts";
import {
  endBackupHold,
  removeExpiredHolds,
  renewBackupHold,
  startBackupHold,
} from "./backup-holds.ts";
import { addToBatch } from "./batch-members.ts";
import { removeBatch } from "./batches.ts";
import { changeFile } from "./change-file.ts";
import { changeFiles } from "./change-files.ts";
import { changeFolder } from "./change-folder.ts";
import { commitBatch } from "./commit-batch.ts";
import { beginAssembly, completeMultipart } from "./complete-multipart.ts";
import { forgetCondemnedBlobs } from "./condemn-blobs.ts";
import { copyFiles } from "./copy-files.ts";
import { copyFolder } from "./copy-folder.ts";
import { createFolder } from "./create-folder.ts";
import { dropRecords } from "./drop-records.ts";
import { emptyRemovedFolders } from "./empty-removed-folders.ts";
import { addFileTraffic, removeFileTraffic } from "./file-traffic.ts";
import { finishUpload } from "./finish-upload.ts";
import { addKeyTraffic, removeKeyTraffic } from "./key-traffic.ts";
import {
  blocksClosedLongAgo,
  closeBlock,
  endLease,
  leaseBlock,
  leaseState,
  releaseExpiredLeases,
  releaseLease,
  releaseLeasesOf,
  renewLeases,
} from "./leases.ts";
import {
  addLink,
  addVisits,
  changeLink,
  countVisit,
  removeEndedLinks,
  revokeLink,
} from "./links.ts";
import { claimPart, releasePart, storePart } from "./multipart-parts.ts";
import { abortMultipart, addMultipart, removeExpiredMultiparts } from "./multipart-uploads.ts";
import { observeClock } from "./observe-clock.ts";
import { addPasskey, recordPasskeyUse, removePasskey, renamePasskey } from "./passkeys.ts";
import { expireTrash, purgeTrash } from "./purge-trash.ts";
import { putFolderObject, putObject } from "./put-object.ts";
import { pruneChanges } from "./record-changes.ts";
import { recordUse } from "./record-use.ts";
import { removeBucket } from "./remove-bucket.ts";
import { removeFiles } from "./remove-files.ts";
import { removeFolder } from "./remove-folder.ts";
import { removeObjects } from "./remove-objects.ts";
import { removeExpiredUploads, removeUpload } from "./remove-uploads.ts";
import { restoreTrash } from "./restore-trash.ts";
import { saveUpload } from "./save-upload.ts";
import { recordTotpStep, replaceRecoveryCodes, setSecondFactor } from "./second-factor.ts";
import {
  addSession,
  removeExpiredSessions,
  removeOtherSessions,
  removeSession,
} from "./sessions.ts";
import { claimSetting, putSetting, putSettings } from "./settings.ts";
import { addTraffic, removeTraffic } from "./traffic.ts";
import { trashFiles } from "./trash-files.ts";
import { setTrashCount, trashFolder } from "./trash-folder.ts";
import { claimUpload, releaseUpload, renewUpload } from "./upload-writers.ts";
import { removeVersions, restoreVersion } from "./versions.ts";

/** The changes of the tree, which have an actor: the methods of `TreeChangesBy` in the port. */
const ofTree = {
  addFiles,
  changeFile,
  changeFiles,
  removeFiles,
  copyFiles,
  copyFolder,
  createFolder,
  changeFolder,
  removeFolder,
  trashFiles,
  trashFolder,
  restoreTrash,
  restoreVersion,
  putObject,
  putFolderObject,
  removeObjects,
  removeBucket,
  completeMultipart,
};

/**
 * Every change of a catalog. The methods of the port that write have the same names and inputs; both
 * are sent between threads and processes.
 */
const all = {
  ...ofTree,
  addFilesTogether,
  emptyRemovedFolders,
  setTrashCount,
  purgeTrash,
  expireTrash,
  removeVersions,
  leaseBlock,
  renewLeases,
  releaseExpiredLeases,
  leaseState,
  releaseLeasesOf,
  releaseLease,
  endLease,
  closeBlock,
  blocksClosedLongAgo,
  forgetCondemnedBlobs,
  startBackupHold,
  renewBackupHold,
  endBackupHold,
  removeExpiredHolds,
  dropRecords,
  addDigests,
  addCharset,
  addApiKey,
  renameApiKey,
  removeApiKey,
  rotateApiKey,
  recordUse,
  addFirstAccount,
  setEmail,
  setPassword,
  resetSignIn,
  setSecondFactor,
  recordTotpStep,
  replaceRecoveryCodes,
  addPasskey,
  renamePasskey,
  removePasskey,
  recordPasskeyUse,
  addSession,
  removeSession,
  removeOtherSessions,
  removeExpiredSessions,
  claimSetting,
  putSetting,
  putSettings,
  observeClock,
  addActivity,
  removeActivity,
  addTraffic,
  removeTraffic,
  addKeyTraffic,
  removeKeyTraffic,
  addFileTraffic,
  removeFileTraffic,
  pruneChanges,
  addUpload,
  claimUpload,
  renewUpload,
  saveUpload,
  releaseUpload,
  finishUpload,
  removeUpload,
  removeExpiredUploads,
  addBatch,
  keepBatch,
  addToBatch,
  commitBatch,
  removeBatch,
  addLink,
  changeLink,
  revokeLink,
  countVisit,
  addVisits,
  removeEndedLinks,
  addMultipart,
  claimPart,
  releasePart,
  storePart,
  beginAssembly,
  abortMultipart,
  removeExpiredMultiparts,
};

type All = typeof all;
export type ChangeName = keyof All;
export type ChangeInputs = {
  [N in ChangeName]: All[N] extends (tx: Tx, ...input: infer Input) => unknown ? Input : never;
};
export type ChangeResults = { [N in ChangeName]: Awaited<ReturnType<All[N]>> };

export const changes: {
  readonly [N in ChangeName]: (tx: Tx, ...input: ChangeInputs[N]) => Promise<ChangeResults[N]>;
} = all;

/** Makes a change for an actor; resolves when it survives a power cut. Default: a command. */
export type Change = <N extends ChangeName>(
  name: N,
  input: ChangeInputs[N],
  actor?: Actor,
) => Promise<ChangeResults[N]>;

type ChangeMethods<Names extends ChangeName = ChangeName> = {
  readonly [N in Names]: (...input: ChangeInputs[N]) => Promise<ChangeResults[N]>;
};

/** The methods of the port that write: each one makes the change of its name for a command. */
export const createChangeMethods = (change: Change): ChangeMethods =>
  createMethods(namesOf(all), change, undefined);

const namesOfTree = namesOf(ofTree);

/** Those of the tree, for an actor. */
export const createTreeChanges = (
  change: Change,
  actor: Actor,
): ChangeMethods<keyof typeof ofTree> => createMethods(namesOfTree, change, actor);

function createMethods<Names extends ChangeName>(
  names: readonly Names[],
  change: Change,
  actor: Actor | undefined,
): ChangeMethods<Names> {
  // Untyped while it is filled: the compiler cannot relate a method to the name in a variable.
  const methods = Object.create(Object.prototype);
  for (const name of names) {
    methods[name] = (...input: ChangeInputs[Names]) => change(name, input, actor);
  }
  return methods;
}

function namesOf<Name extends string>(record: Readonly<Record<Name, unknown>>): Name[] {
  const names: Name[] = [];
  for (const name in record) names.push(name);
  return names;
}

/** Changes that may touch very many records, so each gets a transaction of its own. */
export const longChanges: ReadonlySet<ChangeName> = new Set([
  "copyFiles",
  "copyFolder",
  "changeFolder",
  "removeFolder",
  "removeBucket",
  "emptyRemovedFolders",
  "trashFolder",
  "restoreTrash",
  "purgeTrash",
  "expireTrash",
  "commitBatch",
  "removeBatch",
  "removeExpiredUploads",
  "removeExpiredMultiparts",
  "changeLink",
  "revokeLink",
  "removeEndedLinks",
]);

/**
 * Changes that store more, or may write very much. On a full volume they are refused, while all
 * others may use the disk reserve.
 */
export const growingChanges: ReadonlySet<ChangeName> = new Set([
  "addFiles",
  "addFilesTogether",
  "copyFiles",
  "copyFolder",
  "createFolder",
  "changeFolder",
  "changeFile",
  "changeFiles",
  "putSettings",
  "addApiKey",
  "renameApiKey",
  "rotateApiKey",
  "changeLink",
  "setEmail",
  "addPasskey",
  "renamePasskey",
  "putObject",
  "putFolderObject",
  // Deletions that free no space.
  "trashFiles",
  "trashFolder",
  "restoreTrash",
  "restoreVersion",
  "leaseBlock",
  "recordUse",
  "addDigests",
  "addCharset",
  "addUpload",
  "saveUpload",
  "finishUpload",
  "addBatch",
  "addLink",
  "addToBatch",
  "commitBatch",
  "addMultipart",
  "claimPart",
  "storePart",
  "completeMultipart",
  // No request waits for these, and they would go on until the reserve is used up.
  "addActivity",
  "addTraffic",
  "addKeyTraffic",
  "addFileTraffic",
  "addVisits",
]);
