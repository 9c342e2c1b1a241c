import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { SettingsChange, SettingsObject } from "../../../../sdk/src/holdall.ts";
import { holdall } from "../../app/connection/client.ts";
import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { showToast } from "../../components/toast-store.ts";
import { amountValue } from "../../text/amount.ts";
import { parseRefusal } from "../../text/format-refusal.ts";
import { formatSetting, type SettingName } from "../../text/format-setting.ts";
import { folderVisibilityKey } from "../files/data/use-folder-visibility.ts";
import { BooleanSetting } from "./boolean-setting.tsx";
import { ExistingFiles } from "./existing-files.tsx";
import { NumberSetting } from "./number-setting.tsx";
import {
  type BooleanName,
  type Drafts,
  NO_DRAFTS,
  type TextName,
  useDrafts,
  useUnsavedGuard,
} from "./setting-drafts.ts";
import { groupKey } from "./settings-tabs.ts";
import { TextSetting } from "./text-setting.tsx";
import { VisibilitySetting } from "./visibility-setting.tsx";

export interface SettingsFormProps {
  readonly settings: SettingsObject;
  readonly names: readonly SettingName[];
}

/** A group of settings that are saved together. Input stays until it is saved or discarded. */
export function SettingsForm({ settings, names }: SettingsFormProps) {
  const group = groupKey(names);
  const [drafts, setDrafts] = useDrafts(group);
  const [submitted, setSubmitted] = useState(false);
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (changes: SettingsChange) => holdall.settings.change(changes),
    onSuccess: (saved, changes) => {
      client.setQueryData(["settings"], saved);
      void client.invalidateQueries({ queryKey: folderVisibilityKey });
      // The session may need a second factor now.
      void client.invalidateQueries({ queryKey: ["session"] });
      setDrafts((before) => withoutDrafts(before, Object.keys(changes)));
      setSubmitted(false);
      showToast("Saved.");
    },
  });

  const changes: SettingsChange = {};
  const errors: { [Name in SettingName]?: string } = {};
  if (drafts.visibility !== undefined && drafts.visibility !== settings.defaultVisibility.value) {
    changes.defaultVisibility = drafts.visibility;
  }
  for (const name of names) {
    if (name === "defaultVisibility") continue;
    if (isBoolean(name)) {
      const draft = drafts.booleans[name];
      if (draft !== undefined && draft !== settings[name].value) changes[name] = draft;
      continue;
    }
    if (isText(name)) {
      const draft = drafts.texts[name]?.trim();
      if (draft !== undefined && draft !== settings[name].value) changes[name] = draft;
      continue;
    }
    const draft = drafts.numbers[name];
    if (draft === undefined) continue;
    const value = amountValue(draft);
    if (value === undefined) errors[name] = "Enter a number, such as 12 or 1.5.";
    else if (value !== settings[name].value) changes[name] = value;
  }
  const refusal = change.error && parseRefusal(change.error.message);
  const isFieldError = refusal?.name !== undefined && names.includes(refusal.name);
  const isChanged = Object.keys(changes).length + Object.keys(errors).length > 0;
  useUnsavedGuard(group, isChanged);
  const errorOf = (name: SettingName): string | undefined =>
    (submitted ? errors[name] : undefined) ?? (refusal?.name === name ? refusal.text : undefined);
  const edit = (next: Drafts) => {
    change.reset();
    setDrafts(() => next);
  };
  const resetToDefault = (name: SettingName) => () => {
    if (!change.isPending) change.mutate({ [name]: null });
  };

  return (
    <form
      noValidate
      className="flex flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        setSubmitted(true);
        const isValid = Object.keys(errors).length === 0;
        if (isValid && isChanged && !change.isPending) change.mutate(changes);
      }}
    >
      {names.map((name) =>
        name === "defaultVisibility" ? (
          <div key={name} className="flex flex-col gap-3">
            <VisibilitySetting
              setting={settings[name]}
              draft={drafts.visibility}
              onDraft={(visibility) => edit({ ...drafts, visibility })}
              error={errorOf(name)}
              onDefault={resetToDefault(name)}
            />
            <ExistingFiles visibility={settings[name].value} />
          </div>
        ) : isBoolean(name) ? (
          <BooleanSetting
            key={name}
            name={name}
            setting={settings[name]}
            draft={drafts.booleans[name]}
            onDraft={(value) =>
              edit({ ...drafts, booleans: { ...drafts.booleans, [name]: value } })
            }
            error={errorOf(name)}
            onDefault={resetToDefault(name)}
          />
        ) : isText(name) ? (
          <TextSetting
            key={name}
            name={name}
            setting={settings[name]}
            draft={drafts.texts[name]}
            onDraft={(text) => edit({ ...drafts, texts: { ...drafts.texts, [name]: text } })}
            error={errorOf(name)}
            onDefault={resetToDefault(name)}
          />
        ) : (
          <NumberSetting
            key={name}
            name={name}
            setting={settings[name]}
            draft={drafts.numbers[name]}
            onDraft={(amount) =>
              edit({ ...drafts, numbers: { ...drafts.numbers, [name]: amount } })
            }
            error={errorOf(name)}
            onDefault={resetToDefault(name)}
          />
        ),
      )}
      <RetentionWarning settings={settings} changes={changes} />
      {refusal && !isFieldError && <Notice tone="bad">{refusal.text}</Notice>}
      {names.some((name) => !settings[name].pinned) && (
        <div className="flex gap-2">
          <Button type="submit" variant="primary" busy={change.isPending} disabled={!isChanged}>
            Save
          </Button>
          {isChanged && (
            <Button
              variant="quiet"
              onClick={() => {
                setSubmitted(false);
                edit(NO_DRAFTS);
              }}
            >
              Discard
            </Button>
          )}
        </div>
      )}
    </form>
  );
}

/** Warns before a shorter retention deletes activity. */
function RetentionWarning({
  settings,
  changes,
}: {
  settings: SettingsObject;
  changes: SettingsChange;
}) {
  const name = "activityRetentionDays";
  const days = changes[name];
  if (typeof days !== "number" || days >= settings[name].value) return null;
  return (
    <Notice tone="warn">
      {days === 0
        ? "All activity will be deleted permanently."
        : `Activity older than ${formatSetting(name, days)} will be deleted permanently.`}
    </Notice>
  );
}

const isBoolean = (name: SettingName): name is BooleanName =>
  name === "trashDeletions" ||
  name === "keepVersions" ||
  name === "lastingUrls" ||
  name === "fetchByKeys" ||
  name === "requireSecondFactor" ||
  name === "logDownloads";

const isText = (name: SettingName): name is TextName =>
  name === "instanceName" || name === "accentColor";

function withoutDrafts(drafts: Drafts, names: readonly string[]): Drafts {
  const remaining = <Value,>(values: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
  return {
    visibility: names.includes("defaultVisibility") ? undefined : drafts.visibility,
    booleans: remaining(drafts.booleans),
    numbers: remaining(drafts.numbers),
    texts: remaining(drafts.texts),
  };
}
