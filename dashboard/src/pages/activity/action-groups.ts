import { actions, actionTexts } from "../../../../contract/activity.ts";
import type { Action } from "./filters.ts";

export interface ActionGroup {
  readonly label: string;
  readonly actions: readonly Action[];
}

const NAMED: readonly ActionGroup[] = [
  {
    label: "Uploads",
    actions: [
      ...(["uploadFiles", "putContent", "fetchFiles", "receiveFiles"] as const),
      ...(["createUpload", "createBatch"] as const),
    ],
  },
  {
    label: "Files and folders",
    actions: [
      ...(["changeFile", "copyFiles", "deleteFiles", "createFolder", "changeFolder"] as const),
      ...(["copyFolder", "deleteFolder", "setQuota", "undoChanges", "download"] as const),
    ],
  },
  {
    label: "Trash and versions",
    actions: ["restoreTrash", "emptyTrash", "restoreVersion", "deleteVersions"],
  },
  {
    label: "Links",
    actions: ["createLink", "changeLink", "revokeLink", "signFile", "signFolder"],
  },
  {
    label: "API keys",
    actions: ["createKey", "renameKey", "rotateKey", "revokeKey", "revealS3Credentials"],
  },
  {
    label: "Webhooks",
    actions: [
      ...(["createWebhook", "changeWebhook", "rotateWebhook"] as const),
      ...(["replayWebhook", "deleteWebhook"] as const),
    ],
  },
  {
    label: "People",
    actions: [
      ...(["createAccount", "changeAccount", "resetAccount", "removeAccount"] as const),
      ...(["createGrant", "changeGrant", "removeGrant"] as const),
      ...(["createInvite", "removeInvite", "acceptInvite"] as const),
    ],
  },
  {
    label: "Settings and server",
    actions: ["changeSettings", "putLogo", "removeLogo", "startScrub", "clearActivity"],
  },
];

const named = new Set(NAMED.flatMap((group) => group.actions));

/** All actions, in groups for a select. */
export const ACTION_GROUPS: readonly ActionGroup[] = [
  ...NAMED,
  { label: "Account", actions: actions.filter((action) => !named.has(action)) },
];

export const actionLabel = (action: Action): string => actionTexts[action].label;
