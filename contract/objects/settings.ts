import { z } from "zod";
import {
  booleanSettings,
  eachBoolean,
  eachNumber,
  eachText,
  numberSettings,
  textSettings,
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

const textSettingObject = settingOf(z.string()).meta({
  id: "TextSetting",
  typeName: "TextSettingObject",
});

interface About {
  readonly default: string | number | boolean;
  readonly variable: string;
  readonly unit?: string;
}

/** The response leaves descriptions out: the body of `changeSettings` has them. */
const describe = ({ default: value, variable, unit }: About) => ({
  example: { value, default: value, pinned: false, variable, unit: unit ?? null },
});

export const settingsObject = z
  .object({
    defaultVisibility: visibilitySettingObject.meta(describe(visibilitySetting)),
    ...eachNumber((name) => numberSettingObject.meta(describe(numberSettings[name]))),
    ...eachBoolean((name) => booleanSettingObject.meta(describe(booleanSettings[name]))),
    ...eachText((name) => textSettingObject.meta(describe({ ...textSettings[name], default: "" }))),
  })
  .meta({ id: "Settings", typeName: "SettingsObject" });

export const logoObject = z
  .object({
    url: z.string().meta({
      description: "The logo as WebP, relative to the base URL. Another logo has another URL.",
      example: "brand/logo-4f1c0b7a9d2e6835.webp",
    }),
    width: z.int().min(1).meta({ description: "In pixels.", example: 320 }),
    height: z.int().min(1).meta({ description: "In pixels.", example: 96 }),
  })
  .meta({ id: "Logo", typeName: "LogoObject" });
