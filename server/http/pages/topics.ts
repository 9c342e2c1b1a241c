import type { OperationId } from "../../../contract/operations.ts";

/** A document in the `docs` folder, by its file name, with operations of the API that it is about. */
export interface Topic {
  readonly slug: string;
  readonly operations?: readonly OperationId[];
}

export interface TopicGroup {
  readonly title: string;
  readonly topics: readonly Topic[];
}

/** The documents on the instance, in the order of their list. */
export const topicGroups: readonly TopicGroup[] = [
  {
    title: "Start",
    topics: [
      { slug: "browser-upload", operations: ["createUpload", "uploadOptions", "appendToUpload"] },
      { slug: "nextjs", operations: ["createUpload", "signFile"] },
      { slug: "python", operations: ["uploadFiles", "listFiles", "signFile"] },
      { slug: "go", operations: ["putContent", "downloadFile", "signFile"] },
      { slug: "php", operations: ["uploadFiles", "listFiles", "signFile"] },
      { slug: "from-s3" },
      { slug: "in-place-of-minio" },
      { slug: "in-place-of-supabase" },
      { slug: "in-place-of-vaze" },
    ],
  },
  {
    title: "Files",
    topics: [
      { slug: "files-by-key", operations: ["putContent", "readContent", "listFiles"] },
      { slug: "resumable-uploads", operations: ["createUpload", "showUpload", "createBatch"] },
      { slug: "taken-names", operations: ["uploadFiles", "putContent"] },
      { slug: "files-from-a-url", operations: ["fetchFiles"] },
      { slug: "metadata", operations: ["fileMetadata", "changeFile"] },
      { slug: "digests", operations: ["fileDigest"] },
      { slug: "images", operations: ["hostFile"] },
      { slug: "lasting-urls", operations: ["hostFile"] },
      { slug: "lifetimes", operations: ["fileLifetime", "changeFolder"] },
      { slug: "undo", operations: ["undoChanges"] },
      {
        slug: "trash",
        operations: ["listTrash", "restoreTrash", "listVersions", "restoreVersion"],
      },
    ],
  },
  {
    title: "Access",
    topics: [
      { slug: "api-keys", operations: ["createKey", "listKeys", "rotateKey", "revokeKey"] },
      { slug: "agents" },
      { slug: "privacy", operations: ["readFolderVisibility", "changeFolder", "changeFile"] },
      { slug: "sharing", operations: ["createLink", "listLinks", "changeLink", "revokeLink"] },
      { slug: "signed-folders", operations: ["signFile", "signFolder"] },
      { slug: "security" },
    ],
  },
  {
    title: "Connect",
    topics: [
      { slug: "s3", operations: ["revealS3Credentials"] },
      { slug: "changes", operations: ["listChanges"] },
      { slug: "webhooks", operations: ["createWebhook", "testWebhook", "listDeliveries"] },
      { slug: "errors" },
      { slug: "command-line" },
    ],
  },
  {
    title: "Operate",
    topics: [
      { slug: "deployment" },
      { slug: "configuration", operations: ["readSettings", "changeSettings", "putLogo"] },
      { slug: "s3-storage" },
      { slug: "scaling" },
      {
        slug: "people",
        operations: [
          "listAccounts",
          "createInvite",
          "createGrant",
          "changeAccount",
          "resetAccount",
        ],
      },
      { slug: "oidc", operations: ["beginOidc", "signInWithOidc", "connectIdentity"] },
      { slug: "quotas", operations: ["readQuotas", "setQuota"] },
      { slug: "backup" },
      { slug: "moving" },
      { slug: "verify", operations: ["startScrub", "healthDetails"] },
      { slug: "metrics" },
      { slug: "durability" },
      { slug: "performance" },
    ],
  },
];

export const topics: readonly Topic[] = topicGroups.flatMap((group) => group.topics);
