import { z } from "zod";
import {
  booleanSettings,
  eachBoolean,
  eachNumber,
  type NumberSetting,
  numberSettings,
  visibilitySetting,
} from "../settings.ts";
import { visibility } from "../text.ts";

export const setting = <Value extends z.ZodType>(
  value: Value,
  { variable, unit, description }: { variable: string; unit: string | null; description: string },
  typeName: "VisibilitySettingObject" | "NumberSettingObject" | "BooleanSettingObject",
) =>
  z
    .object({
      value: value.meta({ description: "The current value." }),
      default: value,
      pinned: z.boolean().meta({
        description: "True if the environment sets the value, so that it cannot be changed here.",
        example: false,
      }),
      variable: z.string().meta({
        description: "The environment variable that overrides the setting.",
        example: variable,
      }),
      unit: z
        .enum(["bytes", "seconds", "days", "files", "ids", "pixels", "percent"])
        .nullable()
        .meta({ description: "Unit of the value.", example: unit }),
    })
    .meta({ description, typeName });

export const settingsObject = z
  .object({
    defaultVisibility: setting(
      visibility,
      { ...visibilitySetting, unit: null },
      "VisibilitySettingObject",
    ),
    ...eachNumber((name) => {
      const about: NumberSetting = numberSettings[name];
      return setting(z.int().min(0).meta({ example: about.default }), about, "NumberSettingObject");
    }),
    ...eachBoolean((name) => {
      const about = booleanSettings[name];
      return setting(
        z.boolean().meta({ example: about.default }),
        { ...about, unit: null },
        "BooleanSettingObject",
      );
    }),
  })
  .meta({ id: "Settings", typeName: "SettingsObject" });
