import { describe, expect, test } from "bun:test";
import { actionTexts } from "../../../../contract/activity.ts";
import type { ActivityObject } from "../../../../sdk/src/holdall.ts";
import { parseFilters } from "./filters.ts";
import { sentenceOf, toPlainText } from "./sentence.ts";

const ME = "account-1";
const you = { kind: "account", id: ME, name: "ada@example.com" } as const;
const key = { kind: "key", id: "key-1", name: "ci-deploy" } as const;
const anonymous = { kind: "none", id: null, name: null } as const;

const event = (of: Partial<ActivityObject>): ActivityObject => ({
  id: "1",
  at: "2026-03-01 12:00:00",
  action: "uploadFiles",
  outcome: "done",
  status: 200,
  actor: you,
  address: "203.0.113.7",
  subject: null,
  detail: {},
  ...of,
});
const file = (path: string | null) => ({ kind: "file", id: "f", key: path, name: null }) as const;
const folder = (path: string) => ({ kind: "folder", id: "d", key: path, name: null }) as const;
const named = (kind: "key" | "account", name: string | null) =>
  ({ kind, id: null, key: null, name }) as const;

const ROWS: [string, Partial<ActivityObject>][] = [
  [
    "You uploaded a.png to brand/logos",
    { subject: file("brand/logos/a.png"), detail: { files: 1 } },
  ],
  [
    "You uploaded 12 files to brand/logos",
    { subject: folder("brand/logos"), detail: { files: 12 } },
  ],
  ["You invited a member", { action: "createInvite", detail: { role: "member", grants: 1 } }],
  ["You withdrew an invitation", { action: "removeInvite" }],
  [
    "You made the account eve@example.com an owner",
    {
      action: "changeAccount",
      subject: named("account", "eve@example.com"),
      detail: { role: "owner" },
    },
  ],
  [
    "The provider made the account eve@example.com a member",
    {
      action: "changeAccount",
      subject: named("account", "eve@example.com"),
      detail: { role: "member", provider: true },
    },
  ],
  [
    "You could not disable the account eve@example.com",
    {
      action: "changeAccount",
      outcome: "failed",
      status: 409,
      subject: named("account", "eve@example.com"),
      detail: { disabled: true },
    },
  ],
  ["You uploaded 1,200 files to Files", { subject: folder(""), detail: { files: 1200 } }],
  ["Key ci-deploy could not upload files", { actor: key, outcome: "failed", status: 413 }],
  [
    "An unknown client could not upload files",
    { actor: anonymous, outcome: "failed", status: 401 },
  ],
  [
    "Key ci-deploy deleted report.pdf",
    { action: "deleteFiles", actor: key, subject: file("x/report.pdf"), detail: { files: 1 } },
  ],
  [
    "You deleted 3 files, including a.txt",
    { action: "deleteFiles", subject: file("a.txt"), detail: { files: 3 } },
  ],
  [
    "You moved report.pdf to the trash",
    { action: "deleteFiles", subject: file("x/report.pdf"), detail: { files: 1, trash: true } },
  ],
  [
    "You moved 3 files to the trash, including a.txt",
    { action: "deleteFiles", subject: file("a.txt"), detail: { files: 3, trash: true } },
  ],
  [
    "Key ci-deploy moved the folder old and everything in it to the trash",
    { action: "deleteFolder", actor: key, subject: folder("x/old"), detail: { trash: true } },
  ],
  [
    "You restored a.txt from the trash",
    { action: "restoreTrash", subject: file("x/a.txt"), detail: { items: 1 } },
  ],
  [
    "You restored 3 items from the trash, including the folder old",
    { action: "restoreTrash", subject: folder("x/old"), detail: { items: 3 } },
  ],
  [
    "You could not restore files from the trash",
    { action: "restoreTrash", outcome: "failed", status: 404 },
  ],
  ["You emptied the trash", { action: "emptyTrash", detail: { all: true, items: 12 } }],
  ["You deleted 2 items permanently", { action: "emptyTrash", detail: { items: 2 } }],
  [
    "You restored an earlier version of a.txt",
    { action: "restoreVersion", subject: file("x/a.txt") },
  ],
  ["You deleted 1 earlier version", { action: "deleteVersions", detail: { versions: 1 } }],
  [
    "You created a link to the folder photos",
    { action: "createLink", subject: folder("photos"), detail: { kind: "read" } },
  ],
  [
    "You created an upload request for the folder inbox",
    { action: "createLink", subject: folder("inbox"), detail: { kind: "drop" } },
  ],
  [
    "You revoked the link Summer",
    { action: "revokeLink", subject: { kind: "link", id: "l", key: null, name: "Summer" } },
  ],
  [
    "A visitor of Photos sent 3 files to inbox/Ada",
    {
      action: "receiveFiles",
      actor: { kind: "link", id: "l", name: "Photos" },
      subject: folder("inbox/Ada"),
      detail: { files: 3 },
    },
  ],
  [
    "A visitor of Photos downloaded a.png",
    {
      action: "download",
      actor: { kind: "link", id: "l", name: "Photos" },
      subject: file("x/a.png"),
      detail: { bytes: 3 },
    },
  ],
  ["You downloaded the zip photos.zip", { action: "download", detail: { zip: "photos.zip" } }],
  [
    "You could not delete a file",
    { action: "deleteFiles", outcome: "failed", subject: file(null), detail: { files: 1 } },
  ],
  [
    "You renamed a.txt to b.txt",
    { action: "changeFile", subject: file("x/a.txt"), detail: { name: "b.txt" } },
  ],
  [
    "You moved a.txt to another folder and made it private",
    {
      action: "changeFile",
      subject: file("a.txt"),
      detail: { folderId: "d", visibility: "private" },
    },
  ],
  [
    "You moved 395 files to another folder and made them private",
    {
      action: "changeFile",
      subject: file("x/a.txt"),
      detail: { files: 395, folderId: "d", visibility: "private" },
    },
  ],
  [
    "You moved a.txt from Inbox to Photos",
    {
      action: "changeFile",
      subject: file("Inbox/a.txt"),
      detail: { folderId: "d", destination: "2026/Photos" },
    },
  ],
  [
    "You moved the folder old from Files to Photos",
    {
      action: "changeFolder",
      subject: folder("old"),
      detail: { parentId: "d", destination: "Photos" },
    },
  ],
  [
    "You moved 395 files to Files",
    {
      action: "changeFile",
      subject: file("x/a.txt"),
      detail: { files: 395, folderId: "d", destination: "" },
    },
  ],
  [
    "You could not rename a.txt to b.txt",
    {
      action: "changeFile",
      outcome: "failed",
      subject: file("a.txt"),
      detail: { name: "b.txt", message: "Taken." },
    },
  ],
  [
    "You made the folder brand and everything in it public",
    { action: "changeFolder", subject: folder("brand"), detail: { visibility: "public" } },
  ],
  [
    "You made the folder brand and everything in it private and set the visibility of new files in it to private",
    {
      action: "changeFolder",
      subject: folder("brand"),
      detail: { visibility: "private", defaultVisibility: "private" },
    },
  ],
  [
    "You set the visibility of new files in the folder brand to what the folder above says",
    { action: "changeFolder", subject: folder("brand"), detail: { defaultVisibility: null } },
  ],
  [
    "You deleted the folder 2024 and everything in it",
    { action: "deleteFolder", subject: folder("archive/2024") },
  ],
  ["You created the key backup", { action: "createKey", subject: named("key", "backup") }],
  [
    "You renamed the key backup to nightly",
    { action: "renameKey", subject: named("key", "backup"), detail: { name: "nightly" } },
  ],
  ["You signed in from 203.0.113.7", { action: "signIn" }],
  [
    "Sign-in as eve@example.com failed from 203.0.113.7",
    {
      action: "signIn",
      outcome: "failed",
      actor: anonymous,
      subject: named("account", "eve@example.com"),
    },
  ],
  [
    "Sign-in failed from 203.0.113.7",
    { action: "signIn", outcome: "failed", actor: anonymous, subject: named("account", null) },
  ],
  [
    "grace@example.com signed out",
    { action: "signOut", actor: { ...you, id: "other", name: "grace@example.com" } },
  ],
  ["You turned on two-step sign-in", { action: "enableSecondFactor" }],
  ["You turned off two-step sign-in", { action: "disableSecondFactor" }],
  ["You renewed the recovery codes", { action: "renewRecoveryCodes" }],
  ["You signed in with a passkey from 203.0.113.7", { action: "signInWithPasskey" }],
  [
    "Sign-in with a passkey failed from 203.0.113.7",
    { action: "signInWithPasskey", outcome: "failed" },
  ],
  ["You could not add a passkey", { action: "preparePasskey", outcome: "failed" }],
  ["You added the passkey 1Password", { action: "addPasskey", detail: { name: "1Password" } }],
  ["You could not add the passkey", { action: "addPasskey", outcome: "failed" }],
  ["You renamed a passkey to Phone", { action: "renamePasskey", detail: { name: "Phone" } }],
  ["You removed the passkey Phone", { action: "removePasskey", detail: { name: "Phone" } }],
  [
    "You deleted 1,234 entries of the activity log",
    { action: "clearActivity", detail: { entries: 1234 } },
  ],
  ["You rotated the key ci", { action: "rotateKey", subject: named("key", "ci") }],
  ["You revoked the key ci", { action: "revokeKey", subject: named("key", "ci") }],
  [
    "You revoked the key ci and 2 keys that it had created",
    { action: "revokeKey", subject: named("key", "ci"), detail: { keys: 3 } },
  ],
  ["You signed out 2 other sessions", { action: "endSessions", detail: { ended: 2 } }],
  [
    "You set “Maximum file size” to 5 GiB and reset “Default visibility” to its default",
    { action: "changeSettings", detail: { maxUploadSize: 5 * 1024 ** 3, defaultVisibility: null } },
  ],
  [
    "Someone on the server set a new password for the account ada@example.com",
    {
      action: "resetPassword",
      actor: { kind: "command", id: null, name: null },
      address: null,
      subject: named("account", "ada@example.com"),
    },
  ],
  [
    "Someone on the server set a new password for the account ada@example.com, without two-step sign-in and passkeys",
    {
      action: "resetPassword",
      actor: { kind: "command", id: null, name: null },
      address: null,
      subject: named("account", "ada@example.com"),
      detail: { removeSecondFactor: true },
    },
  ],
];

test.each(ROWS)("%s", (text, of) => {
  expect(toPlainText(sentenceOf(event(of), ME))).toBe(text);
});

describe("every action", () => {
  test("has a complete sentence, whether it succeeded or failed", () => {
    for (const name of Object.keys(actionTexts)) {
      const { action } = parseFilters(`?action=${name}`);
      if (action === undefined) throw new Error(`${name} is not an action`);
      for (const outcome of ["done", "failed"] as const) {
        const text = toPlainText(sentenceOf(event({ action, outcome }), ME));
        expect(text).not.toMatch(/undefined|null| {2}|^\s|\s$/);
      }
    }
  });

  test("links files and folders, and keeps names as data", () => {
    const parts = sentenceOf(event({ subject: file("brand/<b>.png"), detail: { files: 1 } }), ME);
    expect(parts).toEqual([
      "You",
      " ",
      "uploaded ",
      { name: "<b>.png", target: { kind: "file", id: "f", key: "brand/<b>.png" } },
      " to ",
      { name: "brand", target: { kind: "folder", id: null, key: "brand" } },
    ]);
  });
});
