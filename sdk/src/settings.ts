import type { SettingsChange, SettingsObject } from "../../contract/types/settings.ts";
import type { CallOptions } from "./options.ts";
import type { Transport } from "./transport.ts";

/** The settings that can change while the server runs. Every method throws a `HoldallError` if the request fails. */
export interface Settings {
  read(options?: CallOptions): Promise<SettingsObject>;
  /** Changes the given settings; null restores the default. 409: the environment sets one of them. */
  change(changes: SettingsChange, options?: CallOptions): Promise<SettingsObject>;
}

const PATH = "/api/settings";

export function createSettings(transport: Transport): Settings {
  return {
    async read({ signal } = {}) {
      const call = { method: "GET", path: PATH, signal } as const;
      return (await transport.json<{ settings: SettingsObject }>(call)).settings;
    },
    async change(body, { signal } = {}) {
      const call = { method: "PUT", path: PATH, body, signal } as const;
      return (await transport.json<{ settings: SettingsObject }>(call)).settings;
    },
  };
}
