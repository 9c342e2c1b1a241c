import { type ChangedBy, SYSTEM } from "../domain/callers/caller.ts";
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
import { removeFetches, saveFetches } from "./fetches/fetches.ts";
import { addActivity, removeActivity } from "./insight/activity.ts";
import { addCounts, removeCounts } from "./insight/counters.ts";
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
import { deleteAtEndOfLink } from "./links/delete-at-end.ts";
import {
  addLink,
  addVisits,
  changeLink,
  countVisit,
  removeEndedLinks,
  revokeLink,
} from "./links/links.ts";
import { setBucketSetting } from "./objects/bucket-settings.ts";
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
import { setBucketLifecycle } from "./objects/set-bucket-lifecycle.ts";
import { setBucketPolicy } from "./objects/set-bucket-policy.ts";
import { setObjectTags } from "./objects/set-object-tags.ts";
import { addAccount, changeAccount, removeAccount, resetSecondFactor } from "./people/accounts.ts";
import { addGrant, changeGrant, removeGrant } from "./people/grants.ts";
import { addIdentity, removeIdentity } from "./people/identities.ts";
import { acceptInvite, addInvite, removeInvite } from "./people/invites.ts";
import { openQuota, recountQuota, setQuota } from "./quotas/change-quotas.ts";
import { chargeUsage } from "./quotas/charge-usage.ts";
import { createUsage } from "./quotas/usage.ts";
import { dropRecords } from "./trash/drop-records.ts";
import { emptyRemovedFolders } from "./trash/empty-removed-folders.ts";
import { endFiles } from "./trash/end-files.ts";
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
import { undoChanges } from "./undo/undo-changes.ts";
import { pruneUndo } from "./undo/undo-steps.ts";
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
import {
  addDelivery,
  addWebhook,
  changeWebhook,
  claimWebhooks,
  pruneDeliveries,
  queueWebhookEvent,
  releaseWebhooks,
  removeWebhook,
  settleWebhooks,
} from "./webhooks/webhooks.ts";

interface ChangeTraits {
  /**
   * The change stores more, or may write very much: on a full volume it is refused, while all others may
   * use the disk reserve. True also for deletions that free no space, and for what no request waits for,
   * which would go on until the reserve is used up.
   */
  readonly grows: boolean;
  /** The change may touch very many records, so it gets a transaction of its own. */
  readonly alone?: true;
  /** The change is made for a caller, the first argument of its method; others are the system's own. */
  readonly called?: true;
}

const defineChange = <const Traits extends ChangeTraits, Input extends readonly unknown[], Result>(
  traits: Traits,
  run: (tx: Tx, ...input: Input) => Promise<Result>,
) => ({
  ...traits,
  async run(transaction: Omit<Tx, "usage">, ...input: Input): Promise<Result> {
    const usage = createUsage();
    const tx = { ...transaction, usage };
    const result = await run(tx, ...input);
    await chargeUsage(tx, usage);
    return result;
  },
});

/**
 * Every change of a catalog. The methods of the port that write have the same names and inputs; both
 * are sent between threads and processes.
 */
const all = {
  addFiles: defineChange({ grows: true, called: true }, addFiles),
  changeFile: defineChange({ grows: true, called: true }, changeFile),
  changeFiles: defineChange({ grows: true, called: true }, changeFiles),
  removeFiles: defineChange({ grows: false, called: true }, removeFiles),
  copyFiles: defineChange({ grows: true, alone: true, called: true }, copyFiles),
  copyFolder: defineChange({ grows: true, alone: true, called: true }, copyFolder),
  createFolder: defineChange({ grows: true, called: true }, createFolder),
  changeFolder: defineChange({ grows: true, alone: true, called: true }, changeFolder),
  removeFolder: defineChange({ grows: false, alone: true, called: true }, removeFolder),
  trashFiles: defineChange({ grows: true, called: true }, trashFiles),
  trashFolder: defineChange({ grows: true, alone: true, called: true }, trashFolder),
  restoreTrash: defineChange({ grows: true, alone: true, called: true }, restoreTrash),
  restoreVersion: defineChange({ grows: true, called: true }, restoreVersion),
  putObject: defineChange({ grows: true, called: true }, putObject),
  putFolderObject: defineChange({ grows: true, called: true }, putFolderObject),
  removeObjects: defineChange({ grows: false, called: true }, removeObjects),
  removeBucket: defineChange({ grows: false, alone: true, called: true }, removeBucket),
  setBucketSetting: defineChange({ grows: true, called: true }, setBucketSetting),
  setBucketLifecycle: defineChange({ grows: true, alone: true, called: true }, setBucketLifecycle),
  setBucketPolicy: defineChange({ grows: true, alone: true, called: true }, setBucketPolicy),
  setObjectTags: defineChange({ grows: true, called: true }, setObjectTags),
  completeMultipart: defineChange({ grows: true, called: true }, completeMultipart),
  addFilesTogether: defineChange({ grows: true }, addFilesTogether),
  emptyRemovedFolders: defineChange({ grows: false, alone: true }, emptyRemovedFolders),
  undoChanges: defineChange({ grows: true, alone: true, called: true }, undoChanges),
  pruneUndo: defineChange({ grows: false }, pruneUndo),
  setTrashCount: defineChange({ grows: false }, setTrashCount),
  purgeTrash: defineChange({ grows: false, alone: true, called: true }, purgeTrash),
  expireTrash: defineChange({ grows: false, alone: true }, expireTrash),
  endFiles: defineChange({ grows: true, alone: true }, endFiles),
  removeVersions: defineChange({ grows: false, called: true }, removeVersions),
  leaseBlock: defineChange({ grows: true }, leaseBlock),
  renewLeases: defineChange({ grows: false }, renewLeases),
  releaseExpiredLeases: defineChange({ grows: false }, releaseExpiredLeases),
  leaseState: defineChange({ grows: false }, leaseState),
  releaseLeasesOf: defineChange({ grows: false }, releaseLeasesOf),
  releaseLease: defineChange({ grows: false }, releaseLease),
  endLease: defineChange({ grows: false }, endLease),
  closeBlock: defineChange({ grows: false }, closeBlock),
  blocksClosedLongAgo: defineChange({ grows: false }, blocksClosedLongAgo),
  forgetCondemnedBlobs: defineChange({ grows: false }, forgetCondemnedBlobs),
  startBackupHold: defineChange({ grows: false }, startBackupHold),
  renewBackupHold: defineChange({ grows: false }, renewBackupHold),
  endBackupHold: defineChange({ grows: false }, endBackupHold),
  removeExpiredHolds: defineChange({ grows: false }, removeExpiredHolds),
  dropRecords: defineChange({ grows: false }, dropRecords),
  addDigests: defineChange({ grows: true }, addDigests),
  addCharset: defineChange({ grows: true }, addCharset),
  addApiKey: defineChange({ grows: true }, addApiKey),
  renameApiKey: defineChange({ grows: true }, renameApiKey),
  removeApiKey: defineChange({ grows: false }, removeApiKey),
  rotateApiKey: defineChange({ grows: true }, rotateApiKey),
  recordUse: defineChange({ grows: true }, recordUse),
  addFirstAccount: defineChange({ grows: false }, addFirstAccount),
  setEmail: defineChange({ grows: true }, setEmail),
  setPassword: defineChange({ grows: false }, setPassword),
  resetSignIn: defineChange({ grows: false }, resetSignIn),
  setSecondFactor: defineChange({ grows: false }, setSecondFactor),
  recordTotpStep: defineChange({ grows: false }, recordTotpStep),
  replaceRecoveryCodes: defineChange({ grows: false }, replaceRecoveryCodes),
  addPasskey: defineChange({ grows: true }, addPasskey),
  renamePasskey: defineChange({ grows: true }, renamePasskey),
  removePasskey: defineChange({ grows: false }, removePasskey),
  recordPasskeyUse: defineChange({ grows: false }, recordPasskeyUse),
  addAccount: defineChange({ grows: true }, addAccount),
  changeAccount: defineChange({ grows: false }, changeAccount),
  removeAccount: defineChange({ grows: false, alone: true }, removeAccount),
  resetSecondFactor: defineChange({ grows: false }, resetSecondFactor),
  addGrant: defineChange({ grows: true }, addGrant),
  changeGrant: defineChange({ grows: false }, changeGrant),
  removeGrant: defineChange({ grows: false }, removeGrant),
  addInvite: defineChange({ grows: true }, addInvite),
  removeInvite: defineChange({ grows: false }, removeInvite),
  acceptInvite: defineChange({ grows: true }, acceptInvite),
  addIdentity: defineChange({ grows: true }, addIdentity),
  removeIdentity: defineChange({ grows: false }, removeIdentity),
  addSession: defineChange({ grows: false }, addSession),
  removeSession: defineChange({ grows: false }, removeSession),
  removeOtherSessions: defineChange({ grows: false }, removeOtherSessions),
  removeExpiredSessions: defineChange({ grows: false }, removeExpiredSessions),
  claimSetting: defineChange({ grows: false }, claimSetting),
  putSetting: defineChange({ grows: false }, putSetting),
  putSettings: defineChange({ grows: true }, putSettings),
  observeClock: defineChange({ grows: false }, observeClock),
  addActivity: defineChange({ grows: true }, addActivity),
  removeActivity: defineChange({ grows: false }, removeActivity),
  addCounts: defineChange({ grows: true }, addCounts),
  removeCounts: defineChange({ grows: false }, removeCounts),
  pruneChanges: defineChange({ grows: false }, pruneChanges),
  addUpload: defineChange({ grows: true }, addUpload),
  claimUpload: defineChange({ grows: false }, claimUpload),
  renewUpload: defineChange({ grows: false }, renewUpload),
  saveUpload: defineChange({ grows: true }, saveUpload),
  releaseUpload: defineChange({ grows: false }, releaseUpload),
  finishUpload: defineChange({ grows: true, called: true }, finishUpload),
  removeUpload: defineChange({ grows: false }, removeUpload),
  removeExpiredUploads: defineChange({ grows: false, alone: true }, removeExpiredUploads),
  addBatch: defineChange({ grows: true }, addBatch),
  keepBatch: defineChange({ grows: false }, keepBatch),
  addToBatch: defineChange({ grows: true }, addToBatch),
  commitBatch: defineChange({ grows: true, alone: true, called: true }, commitBatch),
  removeBatch: defineChange({ grows: false, alone: true }, removeBatch),
  addLink: defineChange({ grows: true }, addLink),
  changeLink: defineChange({ grows: true, alone: true }, changeLink),
  revokeLink: defineChange({ grows: false, alone: true }, revokeLink),
  countVisit: defineChange({ grows: false }, countVisit),
  addVisits: defineChange({ grows: true }, addVisits),
  deleteAtEndOfLink: defineChange({ grows: true, alone: true }, deleteAtEndOfLink),
  removeEndedLinks: defineChange({ grows: false, alone: true }, removeEndedLinks),
  openQuota: defineChange({ grows: true, alone: true }, openQuota),
  recountQuota: defineChange({ grows: false, alone: true }, recountQuota),
  setQuota: defineChange({ grows: false }, setQuota),
  addWebhook: defineChange({ grows: true }, addWebhook),
  changeWebhook: defineChange({ grows: true }, changeWebhook),
  removeWebhook: defineChange({ grows: false }, removeWebhook),
  claimWebhooks: defineChange({ grows: false }, claimWebhooks),
  settleWebhooks: defineChange({ grows: true }, settleWebhooks),
  releaseWebhooks: defineChange({ grows: false }, releaseWebhooks),
  queueWebhookEvent: defineChange({ grows: true }, queueWebhookEvent),
  addDelivery: defineChange({ grows: true }, addDelivery),
  pruneDeliveries: defineChange({ grows: false }, pruneDeliveries),
  saveFetches: defineChange({ grows: true }, saveFetches),
  removeFetches: defineChange({ grows: false }, removeFetches),
  addMultipart: defineChange({ grows: true }, addMultipart),
  claimPart: defineChange({ grows: true }, claimPart),
  releasePart: defineChange({ grows: false }, releasePart),
  storePart: defineChange({ grows: true }, storePart),
  beginAssembly: defineChange({ grows: false }, beginAssembly),
  abortMultipart: defineChange({ grows: false }, abortMultipart),
  removeExpiredMultiparts: defineChange({ grows: false, alone: true }, removeExpiredMultiparts),
};

type All = typeof all;
export type ChangeName = keyof All;
type CalledChange = {
  [N in ChangeName]: All[N] extends { readonly called: true } ? N : never;
}[ChangeName];
export type ChangeInputs = {
  [N in ChangeName]: All[N]["run"] extends (tx: Omit<Tx, "usage">, ...input: infer Input) => unknown
    ? Input
    : never;
};
export type ChangeResults = { [N in ChangeName]: Awaited<ReturnType<All[N]["run"]>> };

export const changes: {
  readonly [N in ChangeName]: ChangeTraits & {
    readonly run: (tx: Omit<Tx, "usage">, ...input: ChangeInputs[N]) => Promise<ChangeResults[N]>;
  };
} = all;

/** Makes a change for its caller; resolves when it survives a power cut. */
export type Change = <N extends ChangeName>(
  name: N,
  input: ChangeInputs[N],
  caller: ChangedBy,
) => Promise<ChangeResults[N]>;

type ChangeMethods = {
  readonly [N in ChangeName]: (
    ...args: N extends CalledChange ? [caller: ChangedBy, ...ChangeInputs[N]] : ChangeInputs[N]
  ) => Promise<ChangeResults[N]>;
};

/** The methods of the port that write: each one makes the change of its name. */
export function createChangeMethods(change: Change): ChangeMethods {
  // Untyped while it is filled: the compiler cannot relate a method to the name in a variable.
  const methods = Object.create(Object.prototype);
  for (const name of namesOf(all)) {
    methods[name] =
      changes[name].called === true
        ? (
            { actor, within, isDryRun, keepsUploads }: ChangedBy,
            ...input: ChangeInputs[typeof name]
          ) =>
            // Only what a change needs: callers are sent between threads.
            change(name, input, { actor, within, isDryRun, keepsUploads })
        : (...input: ChangeInputs[typeof name]) => change(name, input, SYSTEM_CHANGE);
  }
  return methods;
}

const SYSTEM_CHANGE: ChangedBy = { actor: SYSTEM.actor, within: SYSTEM.within };

function namesOf<Name extends string>(record: Readonly<Record<Name, unknown>>): Name[] {
  const names: Name[] = [];
  for (const name in record) names.push(name);
  return names;
}
