import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { settingsQuery } from "../../app/session/settings-query.ts";
import { LoadError } from "../../components/load-error.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { Section, SectionList } from "./section.tsx";
import { SettingsForm } from "./settings-form.tsx";
import { groupKey, type SettingsGroup } from "./settings-tabs.ts";

export interface InstanceTabProps {
  readonly groups: readonly SettingsGroup[];
  /** Further sections. */
  readonly children?: ReactNode;
}

/** Settings of the instance, each group with a Save button. */
export function InstanceTab({ groups, children }: InstanceTabProps) {
  // Read anew, because a form should start from what the server has.
  const settings = useQuery({ ...settingsQuery, staleTime: 0 });
  if (settings.error && settings.data === undefined) {
    return (
      <LoadError
        title="Couldn't load settings"
        error={settings.error}
        onRetry={() => void settings.refetch()}
      />
    );
  }
  return (
    <SectionList>
      {groups.map(({ title, description, names }) => (
        <Section key={groupKey(names)} title={title} description={description}>
          {!settings.data ? (
            <div className="flex flex-col gap-6" aria-busy="true">
              {names.map((name) => (
                <Skeleton key={name} className="h-18" />
              ))}
            </div>
          ) : (
            <SettingsForm settings={settings.data} names={names} />
          )}
        </Section>
      ))}
      {children}
    </SectionList>
  );
}
