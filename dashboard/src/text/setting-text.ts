import type { SettingsObject } from "../../../sdk/src/holdall.ts";
import { countText } from "./count.ts";
import { durationText } from "./duration.ts";
import { exactBytesText } from "./exact-bytes.ts";

export type SettingName = keyof SettingsObject;

/** Labels of the settings, for the settings page and the activity log. */
export const SETTING_LABELS: Record<SettingName, string> = {
  defaultVisibility: "Default visibility",
  maxUploadSize: "Maximum file size",
  maxFilesPerRequest: "Files per upload",
  maxDeleteBatch: "Files per deletion",
  minFreeSpace: "Reserved space",
  defaultPresignSeconds: "Default link lifetime",
  maxPresignSeconds: "Maximum link lifetime",
  hostingCacheSeconds: "Cache duration",
  activityRetentionDays: "Keep activity for",
};

/** Formats a setting's value with its unit. */
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
