import type { ApiKeyObject } from "../../contract/types.ts";
import type { CallOptions } from "./options.ts";
import type { Transport } from "./transport.ts";

export interface NewKey {
  readonly key: ApiKeyObject;
  /** The API key itself. It cannot be read again. */
  readonly secret: string;
}

export interface CreateKeyOptions extends CallOptions {
  /** Seconds until the key expires. Default: never. */
  readonly expiresIn?: number | undefined;
}

/** API keys. Every method throws a `HoldallError` if the request fails. */
export interface Keys {
  list(options?: CallOptions): Promise<ApiKeyObject[]>;
  create(name: string, options?: CreateKeyOptions): Promise<NewKey>;
  rename(id: string, name: string, options?: CallOptions): Promise<ApiKeyObject>;
  /** The key stops working immediately. */
  revoke(id: string, options?: CallOptions): Promise<void>;
}

const PATH = "/api/keys";

export function createKeys(transport: Transport): Keys {
  return {
    async list({ signal } = {}) {
      const call = { method: "GET", path: PATH, signal } as const;
      return (await transport.json<{ keys: ApiKeyObject[] }>(call)).keys;
    },
    create: (name, { expiresIn, signal } = {}) =>
      transport.json<NewKey>({ method: "POST", path: PATH, body: { name, expiresIn }, signal }),
    async rename(id, name, { signal } = {}) {
      const call = { method: "PUT", path: PATH, body: { id, name }, signal } as const;
      return (await transport.json<{ key: ApiKeyObject }>(call)).key;
    },
    async revoke(id, { signal } = {}) {
      await transport.json({ method: "DELETE", path: PATH, body: { id }, signal });
    },
  };
}
