import {
  type BooleanSettingName,
  booleanSettings,
  eachBoolean,
  eachNumber,
  type NumberSettingName,
  numberSettings,
  type SettingValues,
  visibilitySetting,
} from "../../contract/settings.ts";

/**
 * The effective values, frozen: pinned ones first, then stored ones, then the defaults. Stored text
 * that is not valid, as another version may have written, is ignored.
 */
export function resolveSettings(
  stored: ReadonlyMap<string, string>,
  pinned: Partial<SettingValues>,
): SettingValues {
  const numbers = eachNumber((name) => pinned[name] ?? parseNumber(name, stored.get(name)));
  const storedVisibility = visibilitySetting.choices.find(
    (choice) => choice === stored.get("defaultVisibility"),
  );
  return Object.freeze({
    ...numbers,
    ...eachBoolean((name) => pinned[name] ?? parseBoolean(name, stored.get(name))),
    defaultVisibility: pinned.defaultVisibility ?? storedVisibility ?? visibilitySetting.default,
    // A maximum that was lowered later applies too.
    defaultPresignSeconds: Math.min(numbers.defaultPresignSeconds, numbers.maxPresignSeconds),
  });
}

/** The text that is stored for a value. */
export const storedText = (value: string | number | boolean): string => String(value);

function parseNumber(name: NumberSettingName, text: string | undefined): number {
  const { from, to, default: defaultValue } = numberSettings[name];
  const number = /^\d{1,16}$/.test(text ?? "") ? Number(text) : Number.NaN;
  return number >= from && number <= to ? number : defaultValue;
}

function parseBoolean(name: BooleanSettingName, text: string | undefined): boolean {
  if (text === "true") return true;
  return text === "false" ? false : booleanSettings[name].default;
}
