import {
  formatSetting,
  isSettingName,
  SETTING_LABELS,
  type SettingName,
} from "./format-setting.ts";

export interface Refusal {
  /** The setting that the message is about, if any. */
  readonly name: SettingName | undefined;
  readonly text: string;
}

/** Rewrites the API's refusal of a settings change with the labels and units of the page. */
export function parseRefusal(message: string): Refusal {
  const first = /^`(\w+)` /.exec(message)?.[1] ?? "";
  if (!isSettingName(first)) return { name: undefined, text: message };
  const text = message
    .slice(first.length + 3)
    .replace(/,? or null\b/, "")
    .replace("of ids", "of files")
    .replace(/`(\w+)`/g, (whole, name: string) =>
      isSettingName(name) ? `“${SETTING_LABELS[name]}”` : whole,
    )
    .replace(
      /which is (\d+)/,
      (_, number: string) => `which is ${formatSetting(first, Number(number))}`,
    );
  return { name: first, text: text.slice(0, 1).toUpperCase() + text.slice(1) };
}

/** The reason as a standalone sentence, with the setting's label in it. */
export function formatRefusal(message: string): string {
  const { name, text } = parseRefusal(message);
  if (name === undefined) return text;
  return `“${SETTING_LABELS[name]}” ${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
}
