import {
  type BooleanSettingName,
  booleanSettingNames,
  booleanSettings,
  eachBoolean,
  eachNumber,
  eachText,
  isTextValue,
  type NumberSetting,
  type NumberSettingName,
  numberSettingNames,
  numberSettings,
  type TextSettingName,
  textSettingNames,
  textSettings,
  visibilitySetting,
} from "../../contract/settings.ts";
import { examineMinFreeSpace } from "./advice/examine-limits.ts";
import type { PinnedSettings } from "./config.ts";
import type { EnvironmentReader } from "./environment-reader.ts";
import { sizeText } from "./parse-units.ts";
import {
  listText,
  oneOf,
  parsed,
  size,
  type TextSchema,
  trueOrFalse,
  wholeNumber,
} from "./schemas.ts";
import { optional, type Variable } from "./variable.ts";

const { variable, choices, description } = visibilitySetting;
const CHOICES = `${listText(choices.map((each) => `\`${each}\``))}.`;

/** The settings that can change at runtime, as variables that pin them. */
export const settingVariables = {
  defaultVisibility: optional(variable, oneOf(choices), `${description} ${CHOICES}`, {
    isSetting: true,
    defaultText: `\`${visibilitySetting.default}\``,
  }),
  ...eachNumber(numberVariable),
  ...eachBoolean(booleanVariable),
  ...eachText(textVariable),
};

function booleanVariable(name: BooleanSettingName): Variable<boolean | null> {
  const { variable, description, default: value } = booleanSettings[name];
  return optional(variable, trueOrFalse, `${description} \`true\` or \`false\`.`, {
    isSetting: true,
    defaultText: `\`${value}\``,
  });
}

function textVariable(name: TextSettingName): Variable<string | null> {
  const { variable, description, meaning } = textSettings[name];
  const schema = parsed((text) => (isTextValue(name, text) ? text : undefined), meaning);
  return optional(variable, schema, description, { isSetting: true });
}

function numberVariable(name: NumberSettingName): Variable<number | null> {
  const setting = numberSettings[name];
  const value = setting.unit === "bytes" ? sizeText(setting.default) : String(setting.default);
  return optional(setting.variable, schemaOf(name, setting.to), meaningOf(setting), {
    isSetting: true,
    defaultText: `\`${value}\``,
    ...(name === "minFreeSpace" ? { examine: examineMinFreeSpace } : {}),
  });
}

function schemaOf(name: NumberSettingName, max: number): TextSchema<number> {
  const { unit, from } = numberSettings[name];
  return unit === "bytes" ? size(from) : wholeNumber(from, max);
}

/** The setting's description, with the unit. Names of variables replace the names of settings. */
function meaningOf({ unit, description }: NumberSetting): string {
  const text = unit === "seconds" || unit === "days" ? `${description} In ${unit}.` : description;
  return numberSettingNames.reduce(
    (result, name) => result.replaceAll(`\`${name}\``, `\`${numberSettings[name].variable}\``),
    text,
  );
}

export function readSettings({ read, isSet }: EnvironmentReader): PinnedSettings {
  const pinned: { -readonly [Name in keyof PinnedSettings]: PinnedSettings[Name] } = {};
  const visibility = read(settingVariables.defaultVisibility);
  if (visibility !== null) pinned.defaultVisibility = visibility;
  for (const name of numberSettingNames) {
    if (!isSet(settingVariables[name])) continue;
    const value = read(settingVariables[name], schemaOf(name, maxOf(name, pinned)));
    if (value !== null) pinned[name] = value;
  }
  for (const name of booleanSettingNames) {
    const value = read(settingVariables[name]);
    if (value !== null) pinned[name] = value;
  }
  for (const name of textSettingNames) {
    const value = read(settingVariables[name]);
    if (value !== null) pinned[name] = value;
  }
  return Object.freeze(pinned);
}

/** Signed URLs are never valid for longer than the maximum, which is read before the default. */
function maxOf(name: NumberSettingName, pinned: PinnedSettings): number {
  if (name !== "defaultPresignSeconds") return numberSettings[name].to;
  return pinned.maxPresignSeconds ?? numberSettings.maxPresignSeconds.default;
}
