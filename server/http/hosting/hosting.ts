import type { ImageSize } from "../../../contract/settings.ts";
import type { Identity } from "../../access/authenticate.ts";
import { callerOf } from "../../access/caller-of.ts";
import { SYSTEM } from "../../domain/caller.ts";
import type { FileRecord, Key, Millis } from "../../domain/records.ts";
import { allows, isUnlimited } from "../../domain/scope.ts";
import {
  isLive,
  parseSignedQuery,
  readSignedQuery,
  type SignedQuery,
  type SignedSubject,
  type Signer,
} from "../../domain/signature.ts";
import type { FileService } from "../../files/file-service.ts";
import { chain, type MaybePromise } from "../../lib/maybe-promise.ts";
import type { Deliver } from "./deliver.ts";
import { type DeliverVariant, parseImageSize } from "./deliver-variant.ts";
import { createResponseJitter } from "./response-jitter.ts";

export interface HostingDeps {
  readonly files: Pick<FileService, "at">;
  readonly signer: Signer;
  /** The clock that expiries count by. */
  readonly now: () => Millis;
  readonly deliver: Deliver;
  readonly deliverVariant: DeliverVariant;
  readonly identify: (request: Request) => MaybePromise<Identity | undefined>;
}

/**
 * Serves the file with the key of a hosting URL (undefined: no file can have it). The result is undefined if
 * the file does not exist, or the request may not read it.
 */
export type Host = (request: Request, key: Key | undefined) => MaybePromise<Response | undefined>;

/**
 * Checks credentials only when the file is private or does not exist. Both cases take the same
 * steps, and both responses wait for the jitter, so that neither the response nor its time reveals
 * whether a private file exists. The same is true of a private file outside the scope of an API key.
 */
export function createHost(deps: HostingDeps): Host {
  const { files, signer, now, identify } = deps;
  const jitter = createResponseJitter();

  /** The private file, if the request may read it. */
  function readable(
    request: Request,
    key: Key | undefined,
    file: FileRecord | undefined,
    signed: SignedQuery | undefined,
  ): MaybePromise<FileRecord | undefined> {
    if (signed !== undefined) {
      const genuine = signer.verify(file ?? placeholderFile(key), signed.exp, signed.sig);
      if (genuine && isLive(signed.exp, now())) return file;
    }
    return chain(identify(request), (identity) => {
      if (identity === undefined || key === undefined) return undefined;
      const caller = callerOf(identity);
      if (isUnlimited(caller.scope)) return file;
      // Found again, together with what decides whether the caller sees it.
      return allows(caller.scope, "read") ? files.at(caller, key) : undefined;
    });
  }

  return (request, key) => {
    // Before the file is looked up, so that no error's time reveals whether a private file exists.
    const { signed, download, size } = readQuery(request.url);
    return chain(key === undefined ? undefined : files.at(SYSTEM, key), (file) => {
      const disposition = download ? "attachment" : "inline";
      const deliver =
        size === undefined ? deps.deliver : (...of: Delivered) => deps.deliverVariant(size, ...of);
      if (file?.visibility === "public") return deliver(file, request, disposition);
      return chain(readable(request, key, file, signed), (found) =>
        found === undefined
          ? chain(jitter(), () => undefined)
          : deliver(found, request, disposition),
      );
    });
  };
}

/** Takes the place of a file that does not exist, so that a signature is verified all the same. */
const placeholderFile = (key: Key | undefined): SignedSubject => ({
  id: "",
  key: key ?? ("-" as Key),
});

interface HostingQuery {
  readonly signed: SignedQuery | undefined;
  readonly download: boolean;
  /** The size in which an image is served; undefined: the file itself. */
  readonly size: ImageSize | undefined;
}

type Delivered = Parameters<Deliver>;

const NO_QUERY: HostingQuery = { signed: undefined, download: false, size: undefined };

function readQuery(url: string): HostingQuery {
  const start = url.indexOf("?");
  if (start < 0) return NO_QUERY;
  const signed = readSignedQuery(url.slice(start + 1));
  if (signed !== undefined) return { ...NO_QUERY, signed };
  const search = new URLSearchParams(url.slice(start + 1));
  return {
    signed: parseSignedQuery(search),
    download: search.get("download") === "1",
    size: parseImageSize(search.getAll("size")),
  };
}
