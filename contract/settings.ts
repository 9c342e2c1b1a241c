/*
 * The settings that can change while the service runs, as data. Configuration, validation and
 * documentation are derived from these tables.
 */

/** The smaller sizes of images that `?size=` can name. */
export const imageSizes = ["small", "medium", "large"] as const;
export type ImageSize = (typeof imageSizes)[number];

/** The setting with the pixels of each size. */
export const imageSizeSettings = {
  small: "smallImageSize",
  medium: "mediumImageSize",
  large: "largeImageSize",
} as const;

export type Unit = "bytes" | "seconds" | "days" | "files" | "ids" | "pixels" | "percent";

export interface NumberSetting {
  /** The environment variable that overrides the setting. */
  readonly variable: string;
  readonly unit: Unit;
  /** Bounds, both inclusive. */
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
    description: "Maximum size of a file.",
  },
  maxFilesPerRequest: {
    variable: "MAX_FILES_PER_REQUEST",
    unit: "files",
    from: 1,
    to: 10_000,
    default: 100,
    description: "Maximum number of files in one upload.",
  },
  maxDeleteBatch: {
    variable: "MAX_DELETE_BATCH",
    unit: "ids",
    from: 1,
    to: 10_000,
    default: 500,
    description: "Maximum number of ids in a batch delete.",
  },
  minFreeSpace: {
    variable: "MIN_FREE_SPACE",
    unit: "bytes",
    from: 0,
    to: Number.MAX_SAFE_INTEGER,
    default: 256 * 1024 ** 2,
    description: "Free space on the volume that uploads must leave.",
  },
  maxPresignSeconds: {
    variable: "MAX_PRESIGN_TTL_SECONDS",
    unit: "seconds",
    from: 1,
    to: 3_153_600_000,
    default: 604_800,
    description: "Maximum validity of a signed URL. Existing URLs keep theirs.",
  },
  defaultPresignSeconds: {
    variable: "DEFAULT_PRESIGN_TTL_SECONDS",
    unit: "seconds",
    from: 1,
    to: 3_153_600_000,
    default: 3600,
    description: "Default validity of a signed URL. At most `maxPresignSeconds`.",
  },
  defaultLinkDays: {
    variable: "DEFAULT_LINK_DAYS",
    unit: "days",
    from: 0,
    to: 36_500,
    default: 7,
    description: "Validity of new links in the dashboard. 0: without an end.",
  },
  maxLinkDays: {
    variable: "MAX_LINK_DAYS",
    unit: "days",
    from: 0,
    to: 36_500,
    default: 0,
    description:
      "Maximum validity of a link, which links without an end get. Existing links keep theirs. 0: no maximum.",
  },
  hostingCacheSeconds: {
    variable: "HOSTING_CACHE_MAX_AGE",
    unit: "seconds",
    from: 0,
    to: 31_536_000,
    default: 0,
    description: "How long caches may serve a public file without revalidation.",
  },
  activityRetentionDays: {
    variable: "ACTIVITY_RETENTION_DAYS",
    unit: "days",
    from: 0,
    to: 36_500,
    default: 90,
    description: "Retention of the audit log. 0 disables it.",
  },
  trashDays: {
    variable: "TRASH_DAYS",
    unit: "days",
    from: 0,
    to: 3650,
    default: 30,
    description:
      "How long the trash and replaced content are kept. What is in the trash already keeps its time. 0 disables both.",
  },
  smallImageSize: imageSize("IMAGE_SMALL", "small", 320),
  mediumImageSize: imageSize("IMAGE_MEDIUM", "medium", 800),
  largeImageSize: imageSize("IMAGE_LARGE", "large", 1600),
  imageQuality: {
    variable: "IMAGE_QUALITY",
    unit: "percent",
    from: 1,
    to: 100,
    default: 80,
    description:
      "Quality of the smaller sizes of images. 100 is the best and takes the most space.",
  },
} as const satisfies Record<string, NumberSetting>;

/** Maximum length of the longer side for `?size=`. */
function imageSize(variable: string, size: ImageSize, pixels: number) {
  return {
    variable,
    unit: "pixels",
    from: 16,
    to: 4096,
    default: pixels,
    description: `Maximum width and height of images with \`?size=${size}\`.`,
  } as const;
}

export type NumberSettingName = keyof typeof numberSettings;

export const numberSettingNames = Object.keys(numberSettings).filter(
  (name): name is NumberSettingName => name in numberSettings,
);

export const visibilitySetting = {
  variable: "DEFAULT_FILE_VISIBILITY",
  choices: ["public", "private"],
  default: "public",
  description: "Default visibility of uploaded files.",
} as const;

export interface BooleanSetting {
  /** The environment variable that overrides the setting. */
  readonly variable: string;
  readonly default: boolean;
  readonly description: string;
}

export const booleanSettings = {
  trashDeletions: {
    variable: "TRASH_DELETIONS",
    default: false,
    description:
      "Whether every deletion moves to the trash, also through the S3 API, unless the request has `trash: false`.",
  },
  keepVersions: {
    variable: "KEEP_VERSIONS",
    default: false,
    description: "Whether replaced content is kept as a version of the file.",
  },
  lastingUrls: {
    variable: "LASTING_URLS",
    default: true,
    description:
      "Whether hosting URLs with the current `?v=` may be cached for a year, also after the file was made private.",
  },
  fetchByKeys: {
    variable: "FETCH_BY_KEYS",
    default: false,
    description: "Whether API keys may make the server fetch files from URLs. Sessions may.",
  },
  requireSecondFactor: {
    variable: "REQUIRE_SECOND_FACTOR",
    default: false,
    description:
      "Whether every account needs two-step sign-in or a passkey. A session without one can only set it up.",
  },
  logDownloads: {
    variable: "LOG_DOWNLOADS",
    default: false,
    description:
      "Whether the audit log has an entry for each download of a private file, of a zip, or through a link.",
  },
} as const satisfies Record<string, BooleanSetting>;

export type BooleanSettingName = keyof typeof booleanSettings;

export const booleanSettingNames = Object.keys(booleanSettings).filter(
  (name): name is BooleanSettingName => name in booleanSettings,
);

/** Maps every setting that is true or false to a value. */
export function eachBoolean<T>(of: (name: BooleanSettingName) => T): Record<BooleanSettingName, T> {
  return {
    trashDeletions: of("trashDeletions"),
    keepVersions: of("keepVersions"),
    lastingUrls: of("lastingUrls"),
    fetchByKeys: of("fetchByKeys"),
    requireSecondFactor: of("requireSecondFactor"),
    logDownloads: of("logDownloads"),
  };
}

/** Maps every numeric setting to a value. */
export function eachNumber<T>(of: (name: NumberSettingName) => T): Record<NumberSettingName, T> {
  return {
    maxUploadSize: of("maxUploadSize"),
    maxFilesPerRequest: of("maxFilesPerRequest"),
    maxDeleteBatch: of("maxDeleteBatch"),
    minFreeSpace: of("minFreeSpace"),
    maxPresignSeconds: of("maxPresignSeconds"),
    defaultPresignSeconds: of("defaultPresignSeconds"),
    defaultLinkDays: of("defaultLinkDays"),
    maxLinkDays: of("maxLinkDays"),
    hostingCacheSeconds: of("hostingCacheSeconds"),
    activityRetentionDays: of("activityRetentionDays"),
    trashDays: of("trashDays"),
    smallImageSize: of("smallImageSize"),
    mediumImageSize: of("mediumImageSize"),
    largeImageSize: of("largeImageSize"),
    imageQuality: of("imageQuality"),
  };
}

export interface TextSetting {
  /** The environment variable that overrides the setting. */
  readonly variable: string;
  readonly maxLength: number;
  /** Every value that is not empty must match it. */
  readonly pattern: RegExp;
  /** Describes valid values in the error: "must be …". */
  readonly meaning: string;
  readonly description: string;
}

/** Settings that are text. The default is the empty text. */
export const textSettings = {
  instanceName: {
    variable: "INSTANCE_NAME",
    maxLength: 60,
    // Control characters, and those that turn the direction of the text around them.
    pattern: /^[^\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]*$/u,
    meaning: "a name of at most 60 characters on one line",
    description:
      "Name of the instance or its operator, shown on the pages of links, the sign-in page and in page titles. Empty: Holdall.",
  },
  accentColor: {
    variable: "ACCENT_COLOR",
    maxLength: 7,
    pattern: /^#[0-9a-f]{6}$/i,
    meaning: "a color such as `#0a665e`",
    description:
      "Color of buttons and links, such as `#0a665e`. It is made darker or lighter where it could not be read. Empty: Holdall's.",
  },
} as const satisfies Record<string, TextSetting>;

export type TextSettingName = keyof typeof textSettings;

export const textSettingNames = Object.keys(textSettings).filter(
  (name): name is TextSettingName => name in textSettings,
);

/** Maps every setting that is text to a value. */
export function eachText<T>(of: (name: TextSettingName) => T): Record<TextSettingName, T> {
  return { instanceName: of("instanceName"), accentColor: of("accentColor") };
}

/** Whether a text setting may have this value. */
export function isTextValue(name: TextSettingName, text: string): boolean {
  const { maxLength, pattern } = textSettings[name];
  return text === "" || ([...text].length <= maxLength && pattern.test(text));
}

/** The current value of every setting. */
export type SettingValues = {
  readonly defaultVisibility: "public" | "private";
} & { readonly [Name in NumberSettingName]: number } & {
  readonly [Name in BooleanSettingName]: boolean;
} & { readonly [Name in TextSettingName]: string };

export type SettingName = keyof SettingValues;

/** The environment variable that overrides a setting. */
export function variableOf(name: SettingName): string {
  if (name === "defaultVisibility") return visibilitySetting.variable;
  const all: Readonly<Record<Exclude<SettingName, "defaultVisibility">, { variable: string }>> = {
    ...numberSettings,
    ...booleanSettings,
    ...textSettings,
  };
  return all[name].variable;
}
