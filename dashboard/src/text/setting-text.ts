import type { SettingsObject } from "../../../sdk/src/holdall.ts";
import { countText } from "./count.ts";
import { durationText } from "./duration.ts";
import { exactBytesText } from "./exact-bytes.ts";

export type SettingName = keyof SettingsObject;

/** What each setting is called. */
export const SETTING_LABELS: Record<SettingName, string> = {
  defaultVisibility: "Visibility of new files",
  maxUploadSize: "Largest file",
  maxFilesPerRequest: "Files in one upload",
  maxDeleteBatch: "Files in one deletion",
  minFreeSpace: "Space kept free",
  defaultPresignSeconds: "Usual lifetime of a link",
  maxPresignSeconds: "Longest lifetime of a link",
  hostingCacheSeconds: "Cache age of public files",
  activityRetentionDays: "Activity is kept for",
};

/** The value of a setting, with its unit. */
export function settingText(name: SettingName, value: string | number): string {
  if (typeof value === "string") return value;
  switch (name) {
    case "maxUploadSize":
    case "minFreeSpace":
      return exactBytesText(value);
    case "defaultPresignSeconds":
    case "maxPresignSeconds":
    case "hostingCacheSeconds":
      return durationText(value);
    case "activityRetentionDays":
      return countText(value, "day");
    default:
      return countText(value, "file");
  }
}

export const isSettingName = (name: string): name is SettingName => name in SETTING_LABELS;
