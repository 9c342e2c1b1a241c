import type { SettingsChange, SettingsObject } from "../../contract/types.ts";
import type { CallOptions } from "./options.ts";
import type { Transport } from "./transport.ts";

/** What may be changed while the server runs. Every method throws a `HoldallError` when the server says no. */
export interface Settings {
  read(options?: CallOptions): Promise<SettingsObject>;
  /**
   * Sets what is given, at once; null: back to the default. 409: the server's environment decides
   * one of them.
   */
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
