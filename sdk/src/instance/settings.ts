import type { SettingsChange, SettingsObject } from "../../../contract/api.ts";
import { reads, sends } from "../connection/call.ts";
import type { CallOptions } from "../connection/options.ts";
import type { Transport } from "../connection/transport.ts";

/** The settings that can change while the server runs. Every method throws a `HoldallError` if the request fails. */
export interface Settings {
  read(options?: CallOptions): Promise<SettingsObject>;
  /** Changes the given settings; null restores the default. 409: the environment sets one of them. */
  change(changes: SettingsChange, options?: CallOptions): Promise<SettingsObject>;
}

export function createSettings(transport: Transport): Settings {
  return {
    read: reads(transport, "readSettings", "settings"),
    change: sends(transport, "changeSettings", "settings"),
  };
}
