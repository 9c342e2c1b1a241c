import { useId } from "react";
import type { NumberSettingObject } from "../../../../sdk/src/holdall.ts";
import { Input } from "../../components/fields/input.tsx";
import { Select } from "../../components/fields/select.tsx";
import { type Amount, amountOf, unitsOf } from "../../text/amount.ts";
import { SETTING_LABELS, type SettingName } from "../../text/format-setting.ts";
import { SettingFrame } from "./setting-frame.tsx";

export interface NumberSettingProps {
  readonly name: SettingName;
  readonly setting: NumberSettingObject;
  /** The unsaved input, if any. */
  readonly draft: Amount | undefined;
  readonly onDraft: (amount: Amount) => void;
  readonly error: string | undefined;
  readonly onDefault: () => void;
}

/** A numeric setting with its unit. */
export function NumberSetting({ draft, onDraft, ...rest }: NumberSettingProps) {
  const { name, setting, error } = rest;
  const id = useId();
  const unit = setting.unit ?? "files";
  const { text, factor } = draft ?? amountOf(setting.value, unit);
  const units = unitsOf(unit, factor);
  return (
    <SettingFrame id={id} {...rest}>
      <div className="flex items-center gap-2">
        <Input
          id={id}
          inputMode="decimal"
          autoComplete="off"
          className="max-w-36 text-right tabular-nums"
          value={text}
          disabled={setting.pinned}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={`${id}-error ${id}-hint`}
          onChange={(event) => onDraft({ text: event.target.value, factor })}
        />
        {units.length === 1 ? (
          <span className="text-muted">{units[0]?.label}</span>
        ) : (
          <Select
            aria-label={`Unit for ${SETTING_LABELS[name]}`}
            className="w-30"
            value={String(factor)}
            disabled={setting.pinned}
            options={units.map((each) => ({ value: String(each.factor), label: each.label }))}
            onChange={(selected) => onDraft({ text, factor: Number(selected) })}
          />
        )}
      </div>
    </SettingFrame>
  );
}
