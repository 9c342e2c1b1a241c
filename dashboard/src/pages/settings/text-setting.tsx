import { useId } from "react";
import type { TextSettingObject } from "../../../../sdk/src/holdall.ts";
import { Input } from "../../components/fields/input.tsx";
import { AccentPreview } from "./accent-preview.tsx";
import type { TextName } from "./setting-drafts.ts";
import { SettingFrame } from "./setting-frame.tsx";

export interface TextSettingProps {
  readonly name: TextName;
  readonly setting: TextSettingObject;
  /** The unsaved text, if any. */
  readonly draft: string | undefined;
  readonly onDraft: (text: string) => void;
  readonly error: string | undefined;
  readonly onDefault: () => void;
}

const PLACEHOLDERS: Record<TextName, string> = { instanceName: "Holdall", accentColor: "#0a665e" };

/** A setting that is text. A color can be chosen as well, and is shown as pages will show it. */
export function TextSetting({ draft, onDraft, ...rest }: TextSettingProps) {
  const id = useId();
  const { name, setting } = rest;
  const value = draft ?? setting.value;
  const isColor = name === "accentColor";
  const color = /^#[0-9a-f]{6}$/i.test(value) ? value.toLowerCase() : "#0a665e";
  return (
    <SettingFrame id={id} {...rest}>
      <div className="flex max-w-80 items-center gap-2">
        {isColor && (
          <input
            type="color"
            aria-label="Choose a color"
            className="h-9 w-12 flex-none cursor-pointer rounded-md border border-control bg-surface p-0.5 pointer-coarse:h-11"
            value={color}
            disabled={setting.pinned}
            onChange={(event) => onDraft(event.target.value)}
          />
        )}
        <Input
          id={id}
          className="min-w-0 flex-1"
          dir="auto"
          value={value}
          placeholder={PLACEHOLDERS[name]}
          disabled={setting.pinned}
          aria-describedby={`${id}-error ${id}-hint`}
          onChange={(event) => onDraft(event.target.value)}
        />
      </div>
      {isColor && value !== "" && <AccentPreview color={color} />}
    </SettingFrame>
  );
}
