import { formatExactBytes } from "../../../contract/text/format-exact-bytes.ts";
import type { SettingsObject } from "../../../sdk/src/holdall.ts";
import { formatCount } from "./format-count.ts";
import { formatDuration } from "./format-duration.ts";

export type SettingName = keyof SettingsObject;

/** Labels of the settings, for the settings page and the activity log. */
export const SETTING_LABELS: Record<SettingName, string> = {
  defaultVisibility: "Default visibility",
  maxUploadSize: "Maximum file size",
  maxFilesPerRequest: "Files per upload",
  maxDeleteBatch: "Files per deletion",
  minFreeSpace: "Reserved space",
  defaultPresignSeconds: "Default signed URL lifetime",
  maxPresignSeconds: "Maximum signed URL lifetime",
  defaultLinkDays: "Default link lifetime",
  maxLinkDays: "Maximum link lifetime",
  hostingCacheSeconds: "Cache duration",
  activityRetentionDays: "Keep activity for",
  trashDays: "Keep the trash for",
  smallImageSize: "Small image size",
  mediumImageSize: "Medium image size",
  largeImageSize: "Large image size",
  imageQuality: "Image quality",
  trashDeletions: "Move every deletion to the trash",
  keepVersions: "Keep replaced content",
  lastingUrls: "Lasting URLs",
  fetchByKeys: "Files from URLs for API keys",
  requireSecondFactor: "Require two-step sign-in",
  logDownloads: "Log downloads",
  instanceName: "Name",
  accentColor: "Color",
};

/** Formats a setting's value with its unit. */
export function formatSetting(name: SettingName, value: string | number | boolean): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value === "string") return value === "" ? "Holdall's own" : value;
  switch (name) {
    case "maxUploadSize":
    case "minFreeSpace":
      return formatExactBytes(value);
    case "defaultPresignSeconds":
    case "maxPresignSeconds":
    case "hostingCacheSeconds":
      return formatDuration(value);
    case "defaultLinkDays":
    case "maxLinkDays":
      return value === 0 ? "none" : formatCount(value, "day");
    case "activityRetentionDays":
    case "trashDays":
      return formatCount(value, "day");
    case "smallImageSize":
    case "mediumImageSize":
    case "largeImageSize":
      return formatCount(value, "pixel");
    case "imageQuality":
      return `${value} %`;
    default:
      return formatCount(value, "file");
  }
}

export const isSettingName = (name: string): name is SettingName => name in SETTING_LABELS;
