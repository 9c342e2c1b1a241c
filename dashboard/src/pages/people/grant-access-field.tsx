import { useId } from "react";
import type { GrantAction } from "../../../../sdk/src/people.ts";
import { Checkbox } from "../../components/fields/checkbox.tsx";
import { SelectField } from "../../components/fields/select-field.tsx";
import {
  CUSTOM_GRANT,
  GRANT_ACTION_TEXTS,
  GRANT_ACTIONS,
  GRANT_PRESETS,
  presetOf,
} from "./grant-access.ts";

const OPTIONS = [
  ...GRANT_PRESETS.map(({ value, label }) => ({ value, label })),
  { value: CUSTOM_GRANT, label: "Custom…" },
];

export interface GrantAccess {
  readonly actions: readonly GrantAction[];
  /** Whether single actions are shown, also if a preset has the same. */
  readonly isCustom: boolean;
}

export interface GrantAccessFieldProps {
  readonly access: GrantAccess;
  readonly onChange: (access: GrantAccess) => void;
}

/** Chooses the actions of a member in a folder: a preset, or single ones. */
export function GrantAccessField({ access, onChange }: GrantAccessFieldProps) {
  const { actions, isCustom } = access;
  const id = useId();
  const preset = isCustom ? undefined : presetOf(actions);
  return (
    <SelectField
      label="Access"
      options={OPTIONS}
      value={preset?.value ?? CUSTOM_GRANT}
      onChange={(value) => {
        const chosen = GRANT_PRESETS.find((each) => each.value === value);
        onChange({ actions: chosen?.actions ?? actions, isCustom: chosen === undefined });
      }}
      hint={preset?.hint}
    >
      {preset === undefined && (
        <fieldset className="flex flex-col rounded-lg border border-line py-1">
          <legend className="sr-only">Actions</legend>
          {GRANT_ACTIONS.map((action) => (
            <label key={action} className="flex gap-2.5 px-3 py-1.5 hover:bg-hover">
              <Checkbox
                className="mt-0.5"
                aria-labelledby={`${id}-${action}`}
                aria-describedby={`${id}-${action}-text`}
                checked={actions.includes(action)}
                onChange={({ target }) =>
                  onChange({
                    actions: GRANT_ACTIONS.filter((each) =>
                      each === action ? target.checked : actions.includes(each),
                    ),
                    isCustom: true,
                  })
                }
              />
              <span className="min-w-0 text-sm">
                <span id={`${id}-${action}`} className="font-medium">
                  {GRANT_ACTION_TEXTS[action].label}
                </span>
                <span id={`${id}-${action}-text`} className="block text-muted">
                  {GRANT_ACTION_TEXTS[action].text}
                </span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      <p role="alert" className="text-bad text-sm empty:hidden">
        {actions.length === 0 && "Choose at least one action."}
      </p>
    </SelectField>
  );
}
