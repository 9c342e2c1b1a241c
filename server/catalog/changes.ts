import type { Actor } from "../domain/activity.ts";
import {
  endBackupHold,
  removeExpiredHolds,
  renewBackupHold,
  startBackupHold,
} from "./blobs/backup-holds.ts";
import { forgetCondemnedBlobs } from "./blobs/condemn-blobs.ts";
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
} from "./blobs/leases.ts";
import { observeClock } from "./blobs/observe-clock.ts";
import type { Tx } from "./engine/tx.ts";
import { pruneChanges } from "./feed/record-changes.ts";
import { addActivity, removeActivity } from "./insight/activity.ts";
import { addFileTraffic, removeFileTraffic } from "./insight/file-traffic.ts";
import { addKeyTraffic, removeKeyTraffic } from "./insight/key-traffic.ts";
import { addTraffic, removeTraffic } from "./insight/traffic.ts";
import { addFirstAccount, resetSignIn, setEmail, setPassword } from "./keys/accounts.ts";
import { addApiKey, removeApiKey, renameApiKey, rotateApiKey } from "./keys/api-keys.ts";
import { addPasskey, recordPasskeyUse, removePasskey, renamePasskey } from "./keys/passkeys.ts";
import { recordUse } from "./keys/record-use.ts";
import { recordTotpStep, replaceRecoveryCodes, setSecondFactor } from "./keys/second-factor.ts";
import {
  addSession,
  removeExpiredSessions,
  removeOtherSessions,
  removeSession,
} from "./keys/sessions.ts";
import { claimSetting, putSetting, putSettings } from "./keys/settings.ts";
import {
  addLink,
  addVisits,
  changeLink,
  countVisit,
  removeEndedLinks,
  revokeLink,
} from "./links/links.ts";
import { beginAssembly, completeMultipart } from "./objects/complete-multipart.ts";
import { claimPart, releasePart, storePart } from "./objects/multipart-parts.ts";
import {
  abortMultipart,
  addMultipart,
  removeExpiredMultiparts,
} from "./objects/multipart-uploads.ts";
import { putFolderObject, putObject } from "./objects/put-object.ts";
import { removeBucket } from "./objects/remove-bucket.ts";
import { removeObjects } from "./objects/remove-objects.ts";
import { dropRecords } from "./trash/drop-records.ts";
import { emptyRemovedFolders } from "./trash/empty-removed-folders.ts";
import { expireTrash, purgeTrash } from "./trash/purge-trash.ts";
import { restoreTrash } from "./trash/restore-trash.ts";
import { trashFiles } from "./trash/trash-files.ts";
import { setTrashCount, trashFolder } from "./trash/trash-folder.ts";
import { removeVersions, restoreVersion } from "./trash/versions.ts";
import { addCharset } from "./tree/add-charset.ts";
import { addDigests } from "./tree/add-digests.ts";
import { addFiles } from "./tree/add-files.ts";
import { addFilesTogether } from "./tree/add-files-together.ts";
import { changeFile } from "./tree/change-file.ts";
import { changeFiles } from "./tree/change-files.ts";
import { changeFolder } from "./tree/change-folder.ts";
import { copyFiles } from "./tree/copy-files.ts";
import { copyFolder } from "./tree/copy-folder.ts";
import { createFolder } from "./tree/create-folder.ts";
import { removeFiles } from "./tree/remove-files.ts";
import { removeFolder } from "./tree/remove-folder.ts";
import { addBatch } from "./uploads/add-batch.ts";
import { addUpload } from "./uploads/add-upload.ts";
import { keepBatch } from "./uploads/admit-visitor.ts";
import { addToBatch } from "./uploads/batch-members.ts";
import { removeBatch } from "./uploads/batches.ts";
import { commitBatch } from "./uploads/commit-batch.ts";
import { finishUpload } from "./uploads/finish-upload.ts";
import { removeExpiredUploads, removeUpload } from "./uploads/remove-uploads.ts";
import { saveUpload } from "./uploads/save-upload.ts";
import { claimUpload, releaseUpload, renewUpload } from "./uploads/upload-writers.ts";

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
