import { useId } from "react";
import type { Visibility, VisibilitySettingObject } from "../../../../sdk/src/holdall.ts";
import { Select } from "../../components/fields/select.tsx";
import { SettingFrame } from "./setting-frame.tsx";

export interface VisibilitySettingProps {
  readonly setting: VisibilitySettingObject;
  readonly draft: Visibility | undefined;
  readonly onDraft: (visibility: Visibility) => void;
  readonly error: string | undefined;
  readonly onDefault: () => void;
}

const OPTIONS = [
  { value: "public", label: "Public – anyone with the URL" },
  { value: "private", label: "Private – needs a key or a signed link" },
];

export function VisibilitySetting({ draft, onDraft, ...rest }: VisibilitySettingProps) {
  const id = useId();
  return (
    <SettingFrame id={id} name="defaultVisibility" {...rest}>
      <Select
        id={id}
        className="w-full max-w-80"
        options={OPTIONS}
        value={draft ?? rest.setting.value}
        disabled={rest.setting.pinned}
        aria-describedby={`${id}-error ${id}-hint`}
        onChange={(selected) => onDraft(selected === "private" ? "private" : "public")}
      />
    </SettingFrame>
  );
}
