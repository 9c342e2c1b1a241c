import {
  eachNumber,
  type NumberSettingName,
  numberSettings,
  type SettingValues,
  visibilitySetting,
} from "../../contract/settings.ts";

/**
 * The values that hold, frozen: the pinned ones, then those kept as text, then the defaults. Text
 * that is no value, as another version may have left it, does not count.
 */
export function valuesOf(
  kept: ReadonlyMap<string, string>,
  pinned: Partial<SettingValues>,
): SettingValues {
  const numbers = eachNumber((name) => pinned[name] ?? keptNumber(name, kept.get(name)));
  const keptVisibility = visibilitySetting.choices.find(
    (choice) => choice === kept.get("defaultVisibility"),
  );
  return Object.freeze({
    ...numbers,
    defaultVisibility: pinned.defaultVisibility ?? keptVisibility ?? visibilitySetting.default,
    // A maximum that was lowered later holds for what came before it, too.
    defaultPresignSeconds: Math.min(numbers.defaultPresignSeconds, numbers.maxPresignSeconds),
  });
}

/** A value as it is kept. */
export const storedText = (value: string | number): string => String(value);

function keptNumber(name: NumberSettingName, text: string | undefined): number {
  const { from, to, default: usual } = numberSettings[name];
  const number = /^\d{1,16}$/.test(text ?? "") ? Number(text) : Number.NaN;
  return number >= from && number <= to ? number : usual;
}
