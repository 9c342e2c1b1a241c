import type { settingsOperations } from "../../../../contract/operations/settings.ts";
import { Fault } from "../../../domain/fault.ts";
import type { Settings } from "../../../settings/settings.ts";
import type { Handlers } from "./handler.ts";

export function settingsHandlers(settings: Settings): Handlers<keyof typeof settingsOperations> {
  return {
    async readSettings() {
      return { settings: settings.describe() };
    },

    async changeSettings({ body }) {
      if (Object.values(body).every((value) => value === undefined)) {
        const names = Object.keys(settings.describe()).map((name) => `\`${name}\``);
        throw new Fault("invalid", `Give at least one setting: ${names.join(", ")}.`);
      }
      await settings.change(body);
      return { settings: settings.describe() };
    },
  };
}
