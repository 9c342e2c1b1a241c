import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { holdall } from "../../app/client.ts";
import { LoadError } from "../../components/load-error.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import type { SettingName } from "../../text/format-setting.ts";
import { Section } from "./section.tsx";
import { SettingsForm } from "./settings-form.tsx";

interface SettingsGroup {
  readonly anchor: string;
  readonly title: string;
  readonly description: string;
  readonly names: readonly SettingName[];
}

const SETTINGS_GROUPS: readonly SettingsGroup[] = [
  {
    anchor: "uploads",
    title: "Uploads and deletions",
    description: "What can be uploaded or deleted, and how much at once.",
    names: [
      "defaultVisibility",
      "maxUploadSize",
      "maxFilesPerRequest",
      "maxDeleteBatch",
      "minFreeSpace",
    ],
  },
  {
    anchor: "trash",
    title: "Trash and versions",
    description: "How long deleted files and replaced content can be restored.",
    names: ["trashDays", "trashDeletions", "keepVersions"],
  },
  {
    anchor: "links",
    title: "Links",
    description: "How long signed URLs give access to private files.",
    names: ["defaultPresignSeconds", "maxPresignSeconds"],
  },
  {
    anchor: "caching",
    title: "Caching",
    description: "How quickly changes to public files are visible everywhere.",
    names: ["hostingCacheSeconds"],
  },
  {
    anchor: "images",
    title: "Images",
    description: "The smaller sizes in which images are served. Larger images are scaled down.",
    names: ["smallImageSize", "mediumImageSize", "largeImageSize", "imageQuality"],
  },
  {
    anchor: "activity",
    title: "Activity",
    description: "How long activity is kept.",
    names: ["activityRetentionDays"],
  },
];

/** The settings of the instance. */
export function InstanceSections() {
  const settings = useQuery({
    queryKey: ["settings"],
    queryFn: ({ signal }) => holdall.settings.read({ signal }),
  });
  const isLoaded = settings.data !== undefined;
  useEffect(() => {
    const anchor = location.hash.slice(1);
    if (isLoaded && anchor !== "") document.getElementById(anchor)?.scrollIntoView();
  }, [isLoaded]);

  if (settings.error && settings.data === undefined) {
    return (
      <LoadError
        title="Couldn't load settings"
        error={settings.error}
        onRetry={() => void settings.refetch()}
      />
    );
  }
  return SETTINGS_GROUPS.map(({ anchor, title, description, names }) => (
    <Section key={anchor} anchor={anchor} title={title} description={description}>
      {settings.data === undefined ? (
        <div className="flex flex-col gap-6" aria-busy="true">
          {names.map((name) => (
            <Skeleton key={name} className="h-18" />
          ))}
        </div>
      ) : (
        <SettingsForm settings={settings.data} names={names} />
      )}
    </Section>
  ));
}
