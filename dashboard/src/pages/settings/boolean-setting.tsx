import { useId } from "react";
import type { BooleanSettingObject } from "../../../../sdk/src/holdall.ts";
import { Select } from "../../components/fields/select.tsx";
import type { SettingName } from "../../text/format-setting.ts";
import { SettingFrame } from "./setting-frame.tsx";

export interface BooleanSettingProps {
  readonly name: SettingName;
  readonly setting: BooleanSettingObject;
  /** The unsaved choice, if any. */
  readonly draft: boolean | undefined;
  readonly onDraft: (value: boolean) => void;
  readonly error: string | undefined;
  readonly onDefault: () => void;
}

const OPTIONS = [
  { value: "on", label: "On" },
  { value: "off", label: "Off" },
];

/** A setting that is on or off. */
export function BooleanSetting({ draft, onDraft, ...rest }: BooleanSettingProps) {
  const id = useId();
  const { setting } = rest;
  return (
    <SettingFrame id={id} {...rest}>
      <Select
        id={id}
        className="w-full max-w-80"
        options={OPTIONS}
        value={(draft ?? setting.value) ? "on" : "off"}
        disabled={setting.pinned}
        aria-describedby={`${id}-error ${id}-hint`}
        onChange={(selected) => onDraft(selected === "on")}
      />
    </SettingFrame>
  );
}
