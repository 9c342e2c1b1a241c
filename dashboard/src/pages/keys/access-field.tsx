import { useId } from "react";
import { type KeyAction, keyActionTexts } from "../../../../contract/key-actions.ts";
import { Checkbox } from "../../components/fields/checkbox.tsx";
import { SelectField } from "../../components/fields/select-field.tsx";
import { canGive } from "../../rights/can-give.ts";
import {
  ACCESS_PRESETS,
  accessOptions,
  actionLabel,
  CUSTOM_ACCESS,
  customActions,
} from "./key-access.ts";

export interface AccessFieldProps {
  /** The value of a preset, or `CUSTOM_ACCESS`. */
  readonly choice: string;
  readonly onChoose: (choice: string) => void;
  /** The actions of `CUSTOM_ACCESS`. */
  readonly custom: readonly KeyAction[];
  readonly onCustom: (actions: readonly KeyAction[]) => void;
  readonly error: string | undefined;
}

/** The rights of a new key: a preset, or single actions. */
export function AccessField({ choice, onChoose, custom, onCustom, error }: AccessFieldProps) {
  const id = useId();
  const hint = ACCESS_PRESETS.find(({ value }) => value === choice)?.hint;
  return (
    <SelectField
      label="Access"
      options={accessOptions(canGive)}
      value={choice}
      onChange={onChoose}
      hint={hint}
    >
      {choice === CUSTOM_ACCESS && (
        <fieldset
          aria-describedby={`${id}-error`}
          className="flex flex-col rounded-lg border border-line py-1"
        >
          <legend className="sr-only">Actions</legend>
          {customActions(canGive).map((action) => (
            <label key={action} className="flex gap-2.5 px-3 py-1.5 hover:bg-hover">
              <Checkbox
                className="mt-0.5"
                aria-labelledby={`${id}-${action}`}
                aria-describedby={`${id}-${action}-text`}
                checked={custom.includes(action)}
                onChange={({ target }) =>
                  onCustom(
                    target.checked
                      ? [...custom, action]
                      : custom.filter((chosen) => chosen !== action),
                  )
                }
              />
              <span className="min-w-0 text-sm">
                <span id={`${id}-${action}`} className="font-medium">
                  {actionLabel(action)}
                </span>
                <span id={`${id}-${action}-text`} className="block text-muted">
                  {keyActionTexts[action]}
                </span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      <p id={`${id}-error`} role="alert" className="text-bad text-sm empty:hidden">
        {error}
      </p>
    </SelectField>
  );
}
