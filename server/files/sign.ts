import type { CatalogClock } from "../catalog/port/catalog-clock.ts";
import type { FileTree } from "../catalog/port/file-tree.ts";
import type { Authorized } from "../domain/callers/authorize.ts";
import type { Caller } from "../domain/callers/caller.ts";
import { type Ref, selectorOf } from "../domain/callers/ref.ts";
import { Fault } from "../domain/faults/fault.ts";
import { hostingUrl } from "../domain/names/hosting-url.ts";
import type { Millis } from "../domain/records.ts";
import { type SignedSubject, type Signer, signedLifetime } from "../domain/tokens/signature.ts";
import { findFile, findFolder, noSuchFile } from "./find.ts";
import { type NotDone, notDone } from "./remove.ts";

export interface SignedLifetime {
  /** In seconds. */
  readonly expiresIn?: number | undefined;
  /** The link expires at this time at the latest. */
  readonly notAfter?: Millis | undefined;
}

export interface SignRequest extends SignedLifetime {
  readonly id?: string | undefined;
  readonly key?: string | undefined;
}

export interface SignedLink {
  /** Relative to the base URL. */
  readonly url: string;
  readonly expiresAt: Millis;
}

export interface SignedFile extends SignedLink, SignedSubject {}

/** Both lists are in the order given. */
export interface ManySigned {
  readonly signed: readonly SignedFile[];
  readonly failed: readonly NotDone[];
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

/** Signed URLs of members end within an hour, because grants are not asked for when they are used. */
const MEMBER_SECONDS = 3600;

/** Who signs. */
type SignedBy = Pick<Caller, "within" | "isMember">;

/** URLs that give access without credentials until they expire. */
export interface Signing {
  /**
   * Faults: "invalid": neither id nor key, id and key of different files, or a lifetime that is not
   * positive; "not_found".
   */
  file(caller: MaySign, request: SignRequest): Promise<SignedLink>;
  /** Each of the files. Fault "invalid": the lifetime. */
  files(caller: MaySign, refs: readonly Ref[], lifetime: SignedLifetime): Promise<ManySigned>;
  /**
   * Everything in a folder, at any depth, under a prefix that ends with a slash. Faults: "invalid": the
   * lifetime; "not_found".
   */
  folder(caller: MaySign, ref: Ref, lifetime: SignedLifetime): Promise<SignedLink>;
  /** For callers whose actions are not known yet: looks up what `file` would sign. Faults: as for `file`. */
  checkFile(caller: SignedBy, request: SignRequest): Promise<void>;
  /** The same for `files`. Faults: "invalid": the lifetime; "not_found": none of the files exists. */
  checkFiles(caller: SignedBy, refs: readonly Ref[], lifetime: SignedLifetime): Promise<void>;
  /** The same for `folder`. Faults: as for `folder`. */
  checkFolder(caller: SignedBy, ref: Ref, lifetime: SignedLifetime): Promise<void>;
}

/** A key that may not read a file must not get a URL that reads it. */
type MaySign = Authorized<"share" | "read">;

export function createSigning(deps: SignDeps): Signing {
  const { names, now, signer, settings } = deps;

  /** In whole seconds since the Unix epoch. */
  function expiry({ isMember }: SignedBy, { expiresIn, notAfter }: SignedLifetime): number {
    const { defaultPresignSeconds, maxPresignSeconds } = settings();
    const limits = { default: defaultPresignSeconds, max: maxPresignSeconds };
    const seconds = signedLifetime(expiresIn, limits);
    const latest = notAfter === undefined ? Number.POSITIVE_INFINITY : notAfter / 1000;
    const longest = isMember ? Math.min(seconds, MEMBER_SECONDS) : seconds;
    return Math.floor(Math.min(now() / 1000 + longest, latest));
  }

  const urlOf = (file: SignedSubject, exp: number): SignedLink => ({
    url: `${hostingUrl(file.key)}?exp=${exp}&sig=${signer.sign(file, exp)}`,
    expiresAt: exp * 1000,
  });

  async function findOne(caller: SignedBy, { id, key, ...lifetime }: SignRequest) {
    const exp = expiry(caller, lifetime);
    const file = await findFile(caller, names, selector(id, key));
    if (key !== undefined && id !== undefined) {
      const other = await findFile(caller, names, { key });
      if (other.id !== file.id) throw new Fault("invalid", "`id` and `key` are different files.");
    }
    return { file, exp };
  }

  async function findEach(caller: SignedBy, refs: readonly Ref[], lifetime: SignedLifetime) {
    const exp = expiry(caller, lifetime);
    // At the same time: the catalog then looks them up together.
    const found = await Promise.all(
      refs.map((ref) =>
        typeof ref === "string" ? names.fileById(caller, ref) : names.fileByKey(caller, ref.key),
      ),
    );
    return { found, exp };
  }

  async function findIn(caller: SignedBy, ref: Ref, lifetime: SignedLifetime) {
    const exp = expiry(caller, lifetime);
    const { id } = await findFolder(caller, names, selectorOf(ref));
    return { id, exp };
  }

  return {
    async file(caller, request) {
      const { file, exp } = await findOne(caller, request);
      return urlOf(file, exp);
    },
    async files(caller, refs, lifetime) {
      const { found, exp } = await findEach(caller, refs, lifetime);
      const signed: SignedFile[] = [];
      const failed: NotDone[] = [];
      for (const [at, ref] of refs.entries()) {
        const file = found[at];
        if (file === undefined) failed.push(notDone(ref, noSuchFile()));
        else signed.push({ id: file.id, key: file.key, ...urlOf(file, exp) });
      }
      return { signed, failed };
    },
    async folder(caller, ref, lifetime) {
      const { id, exp } = await findIn(caller, ref, lifetime);
      const token = signer.folders.sign({ folderId: id, exp });
      return { url: `api/hosting/${token}/`, expiresAt: exp * 1000 };
    },
    async checkFile(caller, request) {
      await findOne(caller, request);
    },
    async checkFiles(caller, refs, lifetime) {
      const { found } = await findEach(caller, refs, lifetime);
      if (found.every((file) => file === undefined)) throw noSuchFile();
    },
    async checkFolder(caller, ref, lifetime) {
      await findIn(caller, ref, lifetime);
    },
  };
}

function selector(id: string | undefined, key: string | undefined) {
  if (id !== undefined) return { id };
  if (key !== undefined) return { key };
  throw new Fault("invalid", "Give the `id` or the `key` of the file to sign.");
}
