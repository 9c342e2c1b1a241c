import type { Visibility } from "./files.ts";

/** A setting and its source. */
export interface Setting<Value> {
  value: Value;
  default: Value;
  /** The environment sets the value, so it cannot be changed through the API. */
  pinned: boolean;
  /** The environment variable that overrides the setting. */
  variable: string;
  unit: "bytes" | "seconds" | "days" | "files" | "ids" | "pixels" | "percent" | null;
}

export interface SettingsObject {
  defaultVisibility: Setting<Visibility>;
  maxUploadSize: Setting<number>;
  maxFilesPerRequest: Setting<number>;
  maxDeleteBatch: Setting<number>;
  minFreeSpace: Setting<number>;
  maxPresignSeconds: Setting<number>;
  defaultPresignSeconds: Setting<number>;
  hostingCacheSeconds: Setting<number>;
  activityRetentionDays: Setting<number>;
  trashDays: Setting<number>;
  smallImageSize: Setting<number>;
  mediumImageSize: Setting<number>;
  largeImageSize: Setting<number>;
  imageQuality: Setting<number>;
  trashDeletions: Setting<boolean>;
  keepVersions: Setting<boolean>;
}

/** null restores the default. */
export type SettingsChange = {
  [Name in keyof SettingsObject]?: SettingsObject[Name]["value"] | null;
};
