import { operations } from "../../../contract/operations.ts";
import type { ImageSize } from "../../../contract/settings.ts";
import { actorOf, type Identity, readerOf } from "../../access/authenticate.ts";
import { authorize } from "../../domain/callers/authorize.ts";
import { callerWith, SYSTEM } from "../../domain/callers/caller.ts";
import { isUnlimited } from "../../domain/callers/scope.ts";
import type { HostingPath } from "../../domain/names/hosting-key.ts";
import type { FileRecord, Key, Millis } from "../../domain/records.ts";
import {
  isLive,
  parseSignedQuery,
  readSignedQuery,
  type SignedQuery,
  type SignedSubject,
  type Signer,
} from "../../domain/tokens/signature.ts";
import type { FileService } from "../../files/file-service.ts";
import { chain, type MaybePromise } from "../../lib/maybe-promise.ts";
import { parseLastingVersion } from "../../semantics/lasting-version.ts";
import type { UrlKind } from "../../semantics/plan-delivery.ts";
import type { Deliver } from "./deliver.ts";
import { type DeliverVariant, parseImageSize } from "./deliver-variant.ts";
import { type LastingUrls, redirectToVersion } from "./lasting-urls.ts";
import { createResponseJitter } from "./response-jitter.ts";

export interface HostingDeps {
  readonly files: Pick<FileService, "look" | "below">;
  readonly signer: Signer;
  /** The clock that expiries count by. */
  readonly now: () => Millis;
  readonly deliver: Deliver;
  readonly deliverVariant: DeliverVariant;
  readonly lasting: Pick<LastingUrls, "versionOf">;
  readonly identify: (request: Request) => MaybePromise<Identity | undefined>;
}

/**
 * Serves the file at the path of a hosting URL. The result is undefined if the file does not exist, or the
 * request may not read it.
 */
export type Host = (request: Request, path: HostingPath) => MaybePromise<Response | undefined>;

/**
 * Checks credentials only when the file is private or does not exist. Both cases take the same
 * steps, and both responses wait for the jitter, so that neither the response nor its time reveals
 * whether a private file exists. The same is true of a private file outside the scope of an API key.
 */
export function createHost(deps: HostingDeps): Host {
  const { files, signer, now, identify, lasting } = deps;
  const jitter = createResponseJitter();

  /** The private file, if the request may read it. */
  function readable(
    request: Request,
    key: Key | undefined,
    file: FileRecord | undefined,
  ): MaybePromise<FileRecord | undefined> {
    return chain(identify(request), (identity) => {
      if (identity === undefined || key === undefined) return undefined;
      const reader = readerOf(identity, key);
      if (reader === undefined) return undefined;
      // Found again, together with what decides whether the caller sees it.
      if (isUnlimited(reader)) return file;
      const caller = callerWith(actorOf(identity), reader);
      return chain(files.look.fileAt(caller, key), (found) => {
        if (found !== undefined) authorize(caller, operations.hostFile.permission.actions);
        return found;
      });
    });
  }

  function isSigned(
    key: Key | undefined,
    file: FileRecord | undefined,
    signed: SignedQuery | undefined,
  ): boolean {
    if (signed === undefined) return false;
    const genuine = signer.verify(file ?? placeholderFile(key), signed.exp, signed.sig);
    return genuine && isLive(signed.exp, now());
  }

  const missing = (): MaybePromise<undefined> => chain(jitter(), () => undefined);

  /** As the query says. */
  function deliver(
    { download, size }: HostingQuery,
    request: Request,
    file: FileRecord,
    urlKind?: UrlKind,
  ): MaybePromise<Response> {
    const disposition = download ? "attachment" : "inline";
    return size === undefined
      ? deps.deliver(file, request, disposition, urlKind)
      : deps.deliverVariant(size, file, request, disposition, urlKind);
  }

  function deliverPublic(
    query: HostingQuery,
    request: Request,
    file: FileRecord,
  ): MaybePromise<Response> {
    const current = query.version === undefined ? undefined : lasting.versionOf(file);
    if (current === undefined) return deliver(query, request, file);
    return query.version === current
      ? deliver(query, request, file, "lasting")
      : redirectToVersion(request.url, current);
  }

  return (request, { key, signed: below }) => {
    // Before the file is looked up, so that no error's time reveals whether a private file exists.
    const query = readQuery(request.url);
    const folder = below && signer.folders.verify(below.token);
    if (folder !== undefined) {
      if (below?.key === undefined || !isLive(folder.exp, now())) return missing();
      return chain(files.below(folder.folderId, below.key), (file) =>
        file === undefined ? missing() : deliver(query, request, file, "token"),
      );
    }
    return chain(key === undefined ? undefined : files.look.fileAt(SYSTEM, key), (file) => {
      if (file?.visibility === "public") return deliverPublic(query, request, file);
      if (isSigned(key, file, query.signed) && file !== undefined) {
        return deliver(query, request, file, "signature");
      }
      return chain(readable(request, key, file), (found) =>
        found === undefined ? missing() : deliver(query, request, found),
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
  /** The `v` of a lasting URL. */
  readonly version: string | undefined;
}

const NO_QUERY: HostingQuery = {
  signed: undefined,
  download: false,
  size: undefined,
  version: undefined,
};

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
    version: parseLastingVersion(search.getAll("v")),
  };
}
