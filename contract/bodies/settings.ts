import { z } from "zod";
import {
  booleanSettings,
  eachBoolean,
  eachNumber,
  type NumberSetting,
  numberSettings,
  visibilitySetting,
} from "../settings.ts";

const wholeNumber = ({ from, to, unit, description }: NumberSetting) => {
  const range = to === Number.MAX_SAFE_INTEGER ? `of at least ${from}` : `from ${from} to ${to}`;
  const error = `must be a whole number of ${unit} ${range}, or null`;
  return z.int({ error }).min(from, { error }).max(to, { error }).nullish().meta({ description });
};

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
  })
  .meta({ typeName: "SettingsChange" });
