import type { CatalogClock } from "../catalog/port/catalog-clock.ts";
import type { FileTree } from "../catalog/port/file-tree.ts";
import type { SeenBy } from "../domain/caller.ts";
import { Fault } from "../domain/fault.ts";
import { hostingUrl } from "../domain/names/hosting-url.ts";
import type { Millis } from "../domain/records.ts";
import { type Signer, signedLifetime } from "../domain/signature.ts";
import { findFile } from "./find.ts";

export interface SignRequest {
  readonly id?: string | undefined;
  readonly key?: string | undefined;
  /** In seconds. */
  readonly expiresIn?: number | undefined;
  /** The link expires at this time at the latest. */
  readonly notAfter?: Millis | undefined;
}

export interface SignedLink {
  /** Relative to the base URL. */
  readonly url: string;
  readonly expiresAt: Millis;
}

export interface SignDeps {
  readonly names: FileTree;
  readonly now: CatalogClock["now"];
  readonly signer: Signer;
  readonly settings: () => LinkSettings;
}

/** In seconds. */
export interface LinkSettings {
  readonly defaultPresignSeconds: number;
  readonly maxPresignSeconds: number;
}

/**
 * A URL that gives access to one file without credentials until it expires. Faults: "invalid": neither
 * id nor key, id and key of different files, or a lifetime that is not positive; "not_found".
 */
export function createSign({ names, now, signer, settings }: SignDeps) {
  return async (
    caller: SeenBy,
    { id, key, expiresIn, notAfter }: SignRequest,
  ): Promise<SignedLink> => {
    const { defaultPresignSeconds, maxPresignSeconds } = settings();
    const lifetime = { default: defaultPresignSeconds, max: maxPresignSeconds };
    const seconds = signedLifetime(expiresIn, lifetime);
    const file = await findFile(caller, names, selector(id, key));
    if (key !== undefined && id !== undefined) {
      const other = await findFile(caller, names, { key });
      if (other.id !== file.id) throw new Fault("invalid", "`id` and `key` are different files.");
    }
    const latest = notAfter === undefined ? Number.POSITIVE_INFINITY : notAfter / 1000;
    const exp = Math.floor(Math.min(now() / 1000 + seconds, latest));
    const sig = signer.sign(file, exp);
    return { url: `${hostingUrl(file.key)}?exp=${exp}&sig=${sig}`, expiresAt: exp * 1000 };
  };
}

function selector(id: string | undefined, key: string | undefined) {
  if (id !== undefined) return { id };
  if (key !== undefined) return { key };
  throw new Fault("invalid", "Give the `id` or the `key` of the file to sign.");
}
