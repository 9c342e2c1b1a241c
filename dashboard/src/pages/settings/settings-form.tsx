import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { SettingsChange, SettingsObject, Visibility } from "../../../../sdk/src/holdall.ts";
import { holdall } from "../../app/client.ts";
import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { say } from "../../components/toast-store.ts";
import { refusalOf } from "../../text/setting-refusal.ts";
import { type SettingName, settingText } from "../../text/setting-text.ts";
import { type Amount, amountValue } from "./amount.ts";
import { NumberSetting } from "./number-setting.tsx";
import { VisibilitySetting } from "./visibility-setting.tsx";

type NumberName = Exclude<SettingName, "defaultVisibility">;

interface Drafts {
  readonly visibility?: Visibility | undefined;
  readonly numbers: { readonly [Name in NumberName]?: Amount };
}

const NONE: Drafts = { numbers: {} };

export interface SettingsFormProps {
  readonly settings: SettingsObject;
  readonly names: readonly SettingName[];
}

/** A group of settings that are saved together. */
export function SettingsForm({ settings, names }: SettingsFormProps) {
  const [drafts, setDrafts] = useState(NONE);
  const [sent, setSent] = useState(false);
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (wanted: SettingsChange) => holdall.settings.change(wanted),
    onSuccess: (now, wanted) => {
      client.setQueryData(["settings"], now);
      setDrafts((before) => without(before, Object.keys(wanted)));
      setSent(false);
      say("Saved.");
    },
  });

  const wanted: SettingsChange = {};
  const mistakes: { [Name in SettingName]?: string } = {};
  if (drafts.visibility !== undefined && drafts.visibility !== settings.defaultVisibility.value) {
    wanted.defaultVisibility = drafts.visibility;
  }
  for (const name of names) {
    if (name === "defaultVisibility") continue;
    const draft = drafts.numbers[name];
    if (draft === undefined) continue;
    const value = amountValue(draft);
    if (value === undefined) mistakes[name] = "Enter a number, such as 12 or 1.5.";
    else if (value !== settings[name].value) wanted[name] = value;
  }
  const refusal = change.error && refusalOf(change.error.message);
  const atField = refusal?.name !== undefined && names.includes(refusal.name);
  const isChanged = Object.keys(wanted).length + Object.keys(mistakes).length > 0;
  const errorOf = (name: SettingName): string | undefined =>
    (sent ? mistakes[name] : undefined) ?? (refusal?.name === name ? refusal.text : undefined);
  const edit = (next: Drafts) => {
    change.reset();
    setDrafts(next);
  };
  const toDefault = (name: SettingName) => () => {
    if (!change.isPending) change.mutate({ [name]: null });
  };

  return (
    <form
      noValidate
      className="flex flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        setSent(true);
        const isRight = Object.keys(mistakes).length === 0;
        if (isRight && isChanged && !change.isPending) change.mutate(wanted);
      }}
    >
      {names.map((name) =>
        name === "defaultVisibility" ? (
          <VisibilitySetting
            key={name}
            setting={settings[name]}
            draft={drafts.visibility}
            onDraft={(visibility) => edit({ ...drafts, visibility })}
            error={errorOf(name)}
            onDefault={toDefault(name)}
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
            onDefault={toDefault(name)}
          />
        ),
      )}
      <Loss settings={settings} wanted={wanted} />
      {refusal && !atField && <Notice tone="bad">{refusal.text}</Notice>}
      {names.some((name) => !settings[name].pinned) && (
        <div className="flex gap-2">
          <Button type="submit" variant="primary" busy={change.isPending} disabled={!isChanged}>
            Save
          </Button>
          {isChanged && (
            <Button
              variant="quiet"
              onClick={() => {
                setSent(false);
                edit(NONE);
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
function Loss({ settings, wanted }: { settings: SettingsObject; wanted: SettingsChange }) {
  const name = "activityRetentionDays";
  const days = wanted[name];
  if (typeof days !== "number" || days >= settings[name].value) return null;
  return (
    <Notice tone="warn">
      {days === 0
        ? "All activity will be deleted permanently."
        : `Activity older than ${settingText(name, days)} will be deleted permanently.`}
    </Notice>
  );
}

function without({ visibility, numbers }: Drafts, names: readonly string[]): Drafts {
  const kept = Object.entries(numbers).filter(([name]) => !names.includes(name));
  return {
    visibility: names.includes("defaultVisibility") ? undefined : visibility,
    numbers: Object.fromEntries(kept),
  };
}
