import { expect, test } from "bun:test";
import type { Operation } from "../contract/operation.ts";
import { type OperationId, operations } from "../contract/operations.ts";

/*
 * The rights that every operation of the contract needs, written out a second time, so that a change of a row is
 * intended. The handlers and the tests of the scopes follow the rows, so they accept a wrong one.
 */

const ANYONE = "anyone";
const TOKEN = "anyone with the URL";
const ACCOUNT = "an account";

/** The actions that API keys need, and the places where their folders limit them; or who may call the operation. */
const expected: Readonly<Record<OperationId, string>> = {
  listFiles: "list: subject, results",
  fileDigest: "list: subject",
  fileMetadata: "list: subject",
  fileLifetime: "list: subject",
  uploadFiles: "write: destination",
  putContent: "write: destination",
  readContent: "read: subject",
  changeFile: "write: subject, destination",
  copyFiles: "read and write: subject, destination",
  deleteFiles: "discard: subject",
  fetchFiles: "write: destination",
  signFile: "share and read: subject",
  downloadFile: "read: subject",
  downloadFiles: "list and read: subject",
  downloadSelection: "list and read: subject",
  hostFile: "read: subject, or nothing for public files",
  search: "list: subject, results",
  listChanges: "list: subject, results",

  createUpload: "write: destination",
  tusFeatures: ANYONE,
  uploadState: TOKEN,
  showUpload: TOKEN,
  appendToUpload: TOKEN,
  cancelUpload: TOKEN,
  uploadOptions: TOKEN,
  createBatch: "write: destination",
  showBatch: TOKEN,
  addToBatch: TOKEN,
  createBatchUpload: TOKEN,
  commitBatch: TOKEN,
  dropBatch: TOKEN,

  browseFolder: "list: subject",
  downloadFolder: "list and read: subject",
  measureFolder: "list: subject",
  readFolderVisibility: "list: subject",
  countVisibility: "list: subject",
  createFolder: "write: destination",
  changeFolder: "write: subject, destination",
  copyFolder: "list and read and write: subject, destination",
  signFolder: "share and read: subject",
  deleteFolder: "discard: subject",
  readQuotas: "list: subject, results",
  setQuota: "admin: instance",

  listTrash: "discard: results",
  restoreTrash: "discard and write: subject",
  undoChanges: "write and discard: results",
  emptyTrash: "delete: subject",
  listVersions: "list: subject",
  downloadVersion: "read: subject",
  restoreVersion: "write: subject",
  deleteVersions: "delete: subject",

  listLinks: "share: links",
  createLink: "share and read: subject",
  changeLink: "share: links",
  revokeLink: "share: links",
  listWebhooks: "admin: webhooks",
  createWebhook: "admin: subject",
  changeWebhook: "admin: webhooks",
  deleteWebhook: "admin: webhooks",
  testWebhook: "admin: webhooks",
  replayWebhook: "admin: webhooks",
  rotateWebhook: "admin: webhooks",
  listDeliveries: "admin: webhooks",
  listKeys: "keys: descendants",
  keyTraffic: "keys: descendants",
  createKey: "keys: descendants",
  revealS3Credentials: "keys: descendants",
  renameKey: "keys: descendants",
  rotateKey: "keys: descendants",
  revokeKey: "keys: descendants",

  setup: ANYONE,
  setupState: ANYONE,
  signIn: ANYONE,
  passkeySignInOptions: ANYONE,
  signInWithPasskey: ANYONE,
  beginOidc: ANYONE,
  signInWithOidc: ANYONE,
  beginInvitation: ANYONE,
  readInvite: ANYONE,
  acceptInvite: ANYONE,
  signOut: ACCOUNT,
  whoAmI: ACCOUNT,
  listSessions: ACCOUNT,
  endSessions: ACCOUNT,
  changeEmail: ACCOUNT,
  changePassword: ACCOUNT,
  secondFactor: ACCOUNT,
  prepareSecondFactor: ACCOUNT,
  enableSecondFactor: ACCOUNT,
  disableSecondFactor: ACCOUNT,
  renewRecoveryCodes: ACCOUNT,
  passkeys: ACCOUNT,
  preparePasskey: ACCOUNT,
  addPasskey: ACCOUNT,
  renamePasskey: ACCOUNT,
  removePasskey: ACCOUNT,
  connectIdentity: ACCOUNT,
  identities: ACCOUNT,
  disconnectIdentity: ACCOUNT,
  // Their handlers require an owner.
  listAccounts: ACCOUNT,
  createAccount: ACCOUNT,
  changeAccount: ACCOUNT,
  removeAccount: ACCOUNT,
  resetAccount: ACCOUNT,
  listInvites: ACCOUNT,
  createInvite: ACCOUNT,
  removeInvite: ACCOUNT,
  listGrants: "admin: instance",
  createGrant: "admin: instance",
  changeGrant: "admin: instance",
  removeGrant: "admin: instance",

  overview: "list: results",
  listActivity: "admin: results",
  clearActivity: "admin: instance",
  readSettings: "admin: instance",
  changeSettings: "admin: instance",
  readLogo: "admin: instance",
  putLogo: "admin: instance",
  removeLogo: "admin: instance",
  healthDetails: "admin: instance",
  startScrub: "admin: instance",
  openapi: "any key",
  health: ANYONE,
  ready: ANYONE,
};

/** Who may call operations that need no action. */
const CALLERS: Readonly<Record<string, string>> = {
  "anyone none": ANYONE,
  "token none": TOKEN,
  "account none": ACCOUNT,
  "caller any key": "any key",
};

function describeRow({ access, permission }: Operation): string {
  if (typeof permission === "string") {
    const row = `${access} ${permission}`;
    return CALLERS[row] ?? row;
  }
  const { actions, places } = permission;
  const needs = `${actions.join(" and ")}: ${places.join(", ")}`;
  if (access === "reader") return `${needs}, or nothing for public files`;
  return access === "caller" ? needs : `${access} ${needs}`;
}

test("every operation needs these rights, in these places", () => {
  const rows = Object.values<Operation>(operations).map((row) => [row.id, describeRow(row)]);
  expect(Object.fromEntries(rows)).toEqual({ ...expected });
});
