import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { holdall } from "../../app/client.ts";
import { Failure } from "../../components/failure.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import type { SettingName } from "../../text/setting-text.ts";
import { Section } from "./section.tsx";
import { SettingsForm } from "./settings-form.tsx";

interface Part {
  readonly anchor: string;
  readonly title: string;
  readonly lede: string;
  readonly names: readonly SettingName[];
}

const PARTS: readonly Part[] = [
  {
    anchor: "uploads",
    title: "Uploads and deletions",
    lede: "What can be uploaded or deleted, and how much at once.",
    names: [
      "defaultVisibility",
      "maxUploadSize",
      "maxFilesPerRequest",
      "maxDeleteBatch",
      "minFreeSpace",
    ],
  },
  {
    anchor: "links",
    title: "Links",
    lede: "How long signed URLs give access to private files.",
    names: ["defaultPresignSeconds", "maxPresignSeconds"],
  },
  {
    anchor: "caching",
    title: "Caching",
    lede: "How quickly changes to public files are visible everywhere.",
    names: ["hostingCacheSeconds"],
  },
  {
    anchor: "activity",
    title: "Activity",
    lede: "How long activity is kept.",
    names: ["activityRetentionDays"],
  },
];

/** The settings of the instance. */
export function InstanceSections() {
  const settings = useQuery({
    queryKey: ["settings"],
    queryFn: ({ signal }) => holdall.settings.read({ signal }),
  });
  const isThere = settings.data !== undefined;
  useEffect(() => {
    const wanted = location.hash.slice(1);
    if (isThere && wanted !== "") document.getElementById(wanted)?.scrollIntoView();
  }, [isThere]);

  if (settings.error && settings.data === undefined) {
    return (
      <Failure
        title="Couldn't load settings"
        error={settings.error}
        onRetry={() => void settings.refetch()}
      />
    );
  }
  return PARTS.map(({ anchor, title, lede, names }) => (
    <Section key={anchor} anchor={anchor} title={title} lede={lede}>
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
