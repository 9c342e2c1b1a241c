import { can } from "../../rights/rights.ts";
import type { SettingName } from "../../text/format-setting.ts";

/** Settings that are saved together. */
export interface SettingsGroup {
  readonly title: string;
  readonly description: string;
  readonly names: readonly SettingName[];
}

/** A part of the settings with a URL of its own. */
export interface SettingsTab {
  /** The last segment of its path. */
  readonly path: string;
  readonly title: string;
  /** The settings of the instance that it shows. */
  readonly groups: readonly SettingsGroup[];
  /** Groups of other input, as in `useUnsavedGuard`. */
  readonly forms?: readonly string[];
}

const ACCOUNT: SettingsTab = { path: "account", title: "Account", groups: [], forms: ["email"] };

const SETTINGS_TABS: readonly SettingsTab[] = [
  ACCOUNT,
  { path: "security", title: "Security", groups: [], forms: ["password"] },
  {
    path: "appearance",
    title: "Appearance",
    groups: [
      {
        title: "Name and color",
        description: "What others see on shared links, upload requests and the sign-in page.",
        names: ["instanceName", "accentColor"],
      },
    ],
  },
  {
    path: "uploads",
    title: "Uploads",
    groups: [
      {
        title: "Limits and defaults",
        description:
          "Whether new files are public, and how much can be uploaded or deleted at once.",
        names: [
          "defaultVisibility",
          "maxUploadSize",
          "maxFilesPerRequest",
          "maxDeleteBatch",
          "minFreeSpace",
          "fetchByKeys",
        ],
      },
    ],
  },
  {
    path: "trash",
    title: "Trash",
    groups: [
      {
        title: "Trash and versions",
        description: "How long deleted files and replaced content can be restored.",
        names: ["trashDays", "trashDeletions", "keepVersions"],
      },
    ],
  },
  {
    path: "links",
    title: "Links",
    groups: [
      {
        title: "Shared links",
        description: "How long links to files and folders work. You can revoke each at any time.",
        names: ["defaultLinkDays", "maxLinkDays"],
      },
      {
        title: "Signed URLs",
        description: "How long signed URLs of private files work. They cannot be revoked.",
        names: ["defaultPresignSeconds", "maxPresignSeconds"],
      },
      {
        title: "Caching",
        description: "How quickly changes to public files are visible everywhere.",
        names: ["hostingCacheSeconds", "lastingUrls"],
      },
    ],
  },
  {
    path: "images",
    title: "Images",
    groups: [
      {
        title: "Images",
        description: "The smaller sizes in which images are served. Larger images are scaled down.",
        names: ["smallImageSize", "mediumImageSize", "largeImageSize", "imageQuality"],
      },
    ],
  },
  {
    path: "activity",
    title: "Activity",
    groups: [
      {
        title: "Activity",
        description: "How long activity is kept, and whether downloads are part of it.",
        names: ["activityRetentionDays", "logDownloads"],
      },
    ],
  },
];

/** The tabs of the account, and of the instance for owners, in the order of the index; the first is shown at `/settings`. */
export const settingsTabs = (): readonly SettingsTab[] =>
  can("admin") ? SETTINGS_TABS : SETTINGS_TABS.filter(({ groups }) => groups.length === 0);

/** The tab with this path; without one, the first. undefined: there is no such tab. */
export const tabOf = (path: string): SettingsTab | undefined =>
  path === "" ? ACCOUNT : settingsTabs().find((tab) => tab.path === path);

/** The name of a group where unsaved input is noted. */
export const groupKey = (names: readonly SettingName[]): string => names.join();
