import type { SettingName } from "../../text/format-setting.ts";

/** Descriptions of the settings. */
export const SETTING_HINTS: Record<SettingName, string> = {
  defaultVisibility: "Applies when an upload doesn't specify it. Existing files don't change.",
  maxUploadSize: "Larger files are refused.",
  maxFilesPerRequest: "How many files one request may upload.",
  maxDeleteBatch: "How many files one request may delete.",
  minFreeSpace: "Uploads that would leave less free space than this on the volume are refused.",
  defaultPresignSeconds: "Used when none is given.",
  maxPresignSeconds: "Existing links are not affected.",
  hostingCacheSeconds:
    "How long browsers and proxies may reuse a public file without checking again. 0 means always revalidate.",
  activityRetentionDays: "Older activity is deleted permanently. 0 keeps none.",
};
