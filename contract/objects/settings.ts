import { z } from "zod";
import {
  booleanSettings,
  eachBoolean,
  eachNumber,
  numberSettings,
  visibilitySetting,
} from "../settings.ts";
import { visibility } from "../text.ts";

const UNITS = ["bytes", "seconds", "days", "files", "ids", "pixels", "percent"] as const;

const settingOf = <Value extends z.ZodType>(value: Value) =>
  z.object({
    value: value.meta({ description: "The current value." }),
    default: value,
    pinned: z.boolean().meta({
      description: "True if the environment sets the value, so that it cannot be changed here.",
    }),
    variable: z
      .string()
      .meta({ description: "The environment variable that overrides the setting." }),
    unit: z.enum(UNITS).nullable().meta({ description: "Unit of the value." }),
  });

// Named, so that the document describes each kind once and not each setting.
const visibilitySettingObject = settingOf(visibility).meta({
  id: "VisibilitySetting",
  typeName: "VisibilitySettingObject",
});
const numberSettingObject = settingOf(z.int().min(0)).meta({
  id: "NumberSetting",
  typeName: "NumberSettingObject",
});
const booleanSettingObject = settingOf(z.boolean()).meta({
  id: "BooleanSetting",
  typeName: "BooleanSettingObject",
});

interface About {
  readonly default: string | number | boolean;
  readonly variable: string;
  readonly description: string;
  readonly unit?: string;
}

const describe = ({ default: value, variable, description, unit }: About) => ({
  description,
  example: { value, default: value, pinned: false, variable, unit: unit ?? null },
});

export const settingsObject = z
  .object({
    defaultVisibility: visibilitySettingObject.meta(describe(visibilitySetting)),
    ...eachNumber((name) => numberSettingObject.meta(describe(numberSettings[name]))),
    ...eachBoolean((name) => booleanSettingObject.meta(describe(booleanSettings[name]))),
  })
  .meta({ id: "Settings", typeName: "SettingsObject" });
