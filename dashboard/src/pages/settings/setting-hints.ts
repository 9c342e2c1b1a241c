import type { SettingName } from "../../text/format-setting.ts";

/** Descriptions of the settings. */
export const SETTING_HINTS: Record<SettingName, string> = {
  defaultVisibility:
    "Applies to uploads that don't specify it, into folders without a default of their own. Existing files don't change.",
  maxUploadSize: "Larger files are refused.",
  maxFilesPerRequest: "How many files one request may upload.",
  maxDeleteBatch: "How many files one request may delete.",
  minFreeSpace: "Uploads that would leave less free space than this on the volume are refused.",
  defaultLinkDays: "Proposed for new links. 0 means that they work until you revoke them.",
  maxLinkDays:
    "Links without an end get this one. Existing links are not affected. 0 means no maximum.",
  defaultPresignSeconds: "Used when none is given.",
  maxPresignSeconds: "Existing URLs are not affected.",
  hostingCacheSeconds:
    "How long browsers and proxies may reuse a public file without checking again. 0 means always revalidate.",
  activityRetentionDays: "Older activity is deleted permanently. 0 keeps none.",
  trashDays:
    "How long the trash and replaced content are kept. What is in the trash already keeps its time. 0 disables both.",
  smallImageSize: "The longer side of images with ?size=small, and of thumbnails.",
  mediumImageSize: "The longer side of images with ?size=medium.",
  largeImageSize: "The longer side of images with ?size=large.",
  imageQuality: "Higher values look better and take more space.",
  trashDeletions:
    "Also deletions by scripts and S3 clients. When off, they delete permanently unless they ask for the trash.",
  lastingUrls:
    "Caches may keep a public file at its lasting URL for a year, also after you make it private.",
  fetchByKeys:
    "API keys make the server download from any public address. People who are signed in always may.",
  requireSecondFactor:
    "For every account. Whoever signs in without a second factor or a passkey must set one up first.",
  logDownloads:
    "Private files, zips, and everything that visitors of links download. Ranges of one file within ten minutes are one download.",
  instanceName: "Who shares the files, in the words of those who get links.",
  accentColor:
    "For buttons and links. Where it could not be read, a darker or lighter shade takes its place.",
  keepVersions: "Replaced content can be restored from the file's details.",
};
