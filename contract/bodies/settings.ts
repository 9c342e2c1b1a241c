import { z } from "zod";
import {
  booleanSettings,
  eachBoolean,
  eachNumber,
  eachText,
  isTextValue,
  type NumberSetting,
  numberSettings,
  type TextSettingName,
  textSettings,
  visibilitySetting,
} from "../settings.ts";

const wholeNumber = ({ from, to, unit, description }: NumberSetting) => {
  const range = to === Number.MAX_SAFE_INTEGER ? `of at least ${from}` : `from ${from} to ${to}`;
  const error = `must be a whole number of ${unit} ${range}, or null`;
  return z.int({ error }).min(from, { error }).max(to, { error }).nullish().meta({ description });
};

function textValue(name: TextSettingName) {
  const { maxLength, meaning, description } = textSettings[name];
  const error = `must be ${meaning}, or null`;
  return z
    .string({ error })
    .trim()
    .refine((text) => isTextValue(name, text), { error })
    .nullish()
    .meta({ description, override: { type: ["string", "null"], maxLength } });
}

export const changeSettingsBody = z
  .object({
    defaultVisibility: z
      .enum(visibilitySetting.choices, { error: "must be `public` or `private`, or null" })
      .nullish()
      .meta({ description: visibilitySetting.description }),
    ...eachNumber((name) => wholeNumber(numberSettings[name])),
    ...eachBoolean((name) =>
      z
        .boolean({ error: "must be true or false, or null" })
        .nullish()
        .meta({ description: booleanSettings[name].description }),
    ),
    ...eachText(textValue),
  })
  .meta({ typeName: "SettingsChange" });
