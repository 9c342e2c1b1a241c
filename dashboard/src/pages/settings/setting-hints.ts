import type { SettingName } from "../../text/setting-text.ts";

/** What each setting does. */
export const SETTING_HINTS: Record<SettingName, string> = {
  defaultVisibility:
    "Of files that are uploaded without saying it. Files that are there stay as they are.",
  maxUploadSize: "A larger file is refused.",
  maxFilesPerRequest: "How many files one request may bring.",
  maxDeleteBatch: "How many files one request may delete.",
  minFreeSpace: "An upload that would leave less than this on the volume is refused.",
  defaultPresignSeconds: "Of links that are made without saying it.",
  maxPresignSeconds: "Links that were made before keep theirs.",
  hostingCacheSeconds:
    "How long browsers and proxies may show a public file without asking again. 0: they always ask.",
  activityRetentionDays: "What is older is removed for good. 0: nothing is kept.",
};
