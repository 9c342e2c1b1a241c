/*
 * What may be changed while the service runs, as data: the environment, the API and its
 * description all go by these tables.
 */

export type Unit = "bytes" | "seconds" | "days" | "files" | "ids";

export interface NumberSetting {
  /** What sets it in the environment, and pins it. */
  readonly variable: string;
  readonly unit: Unit;
  /** Whole numbers, both included. */
  readonly from: number;
  readonly to: number;
  readonly default: number;
  readonly description: string;
}

export const numberSettings = {
  maxUploadSize: {
    variable: "MAX_UPLOAD_SIZE",
    unit: "bytes",
    from: 1,
    to: Number.MAX_SAFE_INTEGER,
    default: 5 * 1024 ** 3,
    description: "Size of the largest file.",
  },
  maxFilesPerRequest: {
    variable: "MAX_FILES_PER_REQUEST",
    unit: "files",
    from: 1,
    to: 10_000,
    default: 100,
    description: "Most files in one upload.",
  },
  maxDeleteBatch: {
    variable: "MAX_DELETE_BATCH",
    unit: "ids",
    from: 1,
    to: 10_000,
    default: 500,
    description: "Most ids in a batch delete.",
  },
  minFreeSpace: {
    variable: "MIN_FREE_SPACE",
    unit: "bytes",
    from: 0,
    to: Number.MAX_SAFE_INTEGER,
    default: 256 * 1024 ** 2,
    description: "Kept free on the volume, whatever is uploaded.",
  },
  maxPresignSeconds: {
    variable: "MAX_PRESIGN_TTL_SECONDS",
    unit: "seconds",
    from: 1,
    to: 3_153_600_000,
    default: 604_800,
    description: "Longest lifetime of a signed URL. Links that were made before keep theirs.",
  },
  defaultPresignSeconds: {
    variable: "DEFAULT_PRESIGN_TTL_SECONDS",
    unit: "seconds",
    from: 1,
    to: 3_153_600_000,
    default: 3600,
    description: "Lifetime of signed URLs that name none. At most `maxPresignSeconds`.",
  },
  hostingCacheSeconds: {
    variable: "HOSTING_CACHE_MAX_AGE",
    unit: "seconds",
    from: 0,
    to: 31_536_000,
    default: 0,
    description: "How long caches may show a public file without asking again.",
  },
  activityRetentionDays: {
    variable: "ACTIVITY_RETENTION_DAYS",
    unit: "days",
    from: 0,
    to: 36_500,
    default: 90,
    description: "How long the activity is kept. 0: it is not kept at all.",
  },
} as const satisfies Record<string, NumberSetting>;

export type NumberSettingName = keyof typeof numberSettings;

export const numberSettingNames = Object.keys(numberSettings).filter(
  (name): name is NumberSettingName => name in numberSettings,
);

export const visibilitySetting = {
  variable: "DEFAULT_FILE_VISIBILITY",
  choices: ["public", "private"],
  default: "public",
  description: "Of uploads that name none.",
} as const;

/** Something for each of the settings that are numbers. */
export function eachNumber<T>(of: (name: NumberSettingName) => T): Record<NumberSettingName, T> {
  return {
    maxUploadSize: of("maxUploadSize"),
    maxFilesPerRequest: of("maxFilesPerRequest"),
    maxDeleteBatch: of("maxDeleteBatch"),
    minFreeSpace: of("minFreeSpace"),
    maxPresignSeconds: of("maxPresignSeconds"),
    defaultPresignSeconds: of("defaultPresignSeconds"),
    hostingCacheSeconds: of("hostingCacheSeconds"),
    activityRetentionDays: of("activityRetentionDays"),
  };
}

/** The settings with their values. */
export type SettingValues = {
  readonly defaultVisibility: "public" | "private";
} & { readonly [Name in NumberSettingName]: number };

export type SettingName = keyof SettingValues;

/** The variable of the environment that decides each setting. */
export function variableOf(name: SettingName): string {
  return (name === "defaultVisibility" ? visibilitySetting : numberSettings[name]).variable;
}
