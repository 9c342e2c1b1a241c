import type {
  ApiKeyObject,
  KeyAction,
  KeyTrafficObject,
  S3Credentials,
} from "../../../contract/api.ts";
import { call, reads, sends } from "../connection/call.ts";
import { momentOf } from "../connection/moment-of.ts";
import type { CallOptions } from "../connection/options.ts";
import type { Transport } from "../connection/transport.ts";

export interface NewKey {
  readonly key: ApiKeyObject;
  /** The API key itself. It cannot be read again. */
  readonly secret: string;
}

export interface CreateKeyOptions extends CallOptions {
  /** Seconds until the key expires. Default: never, or when the key that creates it expires. */
  readonly expiresIn?: number | undefined;
  /** When the key expires, instead of `expiresIn`. */
  readonly expiresAt?: Date | string | undefined;
  /**
   * The actions of the key. Default: `list`, `read`, `write`, `delete` and `share`, as far as the key that
   * creates it has them. `admin` and `keys` only if they are named.
   */
  readonly actions?: readonly KeyAction[] | undefined;
  /**
   * The key of an existing folder, or the id of one: limits the key to it and everything in it, also
   * when the folder is renamed or moved. Default: all folders, or the creating key's folders.
   */
  readonly folder?: string | { readonly id: string } | undefined;
}

export interface RotateKeyOptions extends CallOptions {
  /** Seconds until the old secret stops working, at most 604,800 (7 days). Default: 0, at once. */
  readonly oldSecretExpiresIn?: number | undefined;
}

export interface KeyTrafficPage {
  /** The start of the first day, in UTC. */
  readonly since: string;
  readonly keys: KeyTrafficObject[];
}

/** API keys. Every method throws a `HoldallError` if the request fails. */
export interface Keys {
  list(options?: CallOptions): Promise<ApiKeyObject[]>;
  /** The requests of the last 30 days, of keys that have any; most requests first. */
  traffic(options?: CallOptions): Promise<KeyTrafficPage>;
  create(name: string, options?: CreateKeyOptions): Promise<NewKey>;
  /** The credentials with which S3 clients act as this key. */
  s3(id: string, options?: CallOptions): Promise<S3Credentials>;
  rename(id: string, name: string, options?: CallOptions): Promise<ApiKeyObject>;
  /**
   * Gives the key a new secret; everything else stays. The old one stops working at once, or after
   * `oldSecretExpiresIn`.
   */
  rotate(id: string, options?: RotateKeyOptions): Promise<NewKey>;
  /** The key stops working immediately, and so do the keys that descend from it. */
  revoke(id: string, options?: CallOptions): Promise<void>;
}

/** Without types, a wrong folder must not become a key for all folders. */
function placeOf(folder: CreateKeyOptions["folder"]) {
  if (typeof folder !== "object") return { folder };
  if (typeof folder?.id === "string") return { folderId: folder.id };
  throw new TypeError("`folder` must be a key, or an object with an `id`.");
}

export function createKeys(transport: Transport): Keys {
  const rename = sends(transport, "renameKey", "key");
  return {
    list: reads(transport, "listKeys", "keys"),
    traffic: reads(transport, "keyTraffic"),
    async create(name, { folder, expiresAt, signal, ...rights } = {}) {
      const end = expiresAt && momentOf(expiresAt);
      const body = { ...rights, name, expiresAt: end, ...placeOf(folder) };
      return call(transport, "createKey", { body, signal });
    },
    s3: (id, { signal } = {}) => call(transport, "revealS3Credentials", { body: { id }, signal }),
    rename: (id, name, options) => rename({ id, name }, options),
    rotate: (id, { oldSecretExpiresIn, signal } = {}) =>
      call(transport, "rotateKey", { body: { id, oldSecretExpiresIn }, signal }),
    async revoke(id, { signal } = {}) {
      await call(transport, "revokeKey", { body: { id }, signal });
    },
  };
}
