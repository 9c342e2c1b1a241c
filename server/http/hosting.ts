import type { Caller } from "../access/caller.ts";
import type { Files } from "../files/files.ts";
import { noSuchFile } from "../files/find.ts";
import { hostingKey } from "../rules/hosting-key.ts";
import type { FileRecord, Key } from "../rules/records.ts";
import { isLive, parseSignedQuery, type Signer } from "../rules/signature.ts";
import { createBeat } from "./beat.ts";
import type { Deliver } from "./delivery.ts";

export interface HostingParts {
  readonly files: Files;
  readonly signer: Signer;
  readonly deliver: Deliver;
  readonly identify: (request: Request) => Promise<Caller | undefined>;
}

/** Serves the file that the decoded segments of a hosting URL name. */
export type Host = (request: Request, segments: readonly string[]) => Promise<Response>;

/**
 * Credentials are looked at only when the file is private, and when there is none: a private file
 * and a missing one take the same steps, and both answers leave at a beat, so that neither the
 * answer nor its time tells which it is.
 * Fault "missing": there is no such file, or it is not for this request.
 */
export function createHost({ files, signer, deliver, identify }: HostingParts): Host {
  const beat = createBeat();

  async function mayRead(request: Request, file: Pick<FileRecord, "id" | "key">): Promise<boolean> {
    const query = queryOf(request.url);
    if (query !== "") {
      const signed = parseSignedQuery(new URLSearchParams(query));
      if (signed !== undefined) {
        const genuine = signer.verify(file, signed.exp, signed.sig);
        if (genuine && isLive(signed.exp, Date.now())) return true;
      }
    }
    return (await identify(request)) !== undefined;
  }

  return async (request, segments) => {
    const key = hostingKey(segments, request.url);
    const file = key === undefined ? undefined : await files.at(key);
    if (file?.visibility !== "public") {
      const allowed = await mayRead(request, file ?? nobodysFile(key));
      if (file === undefined || !allowed) {
        await beat();
        throw noSuchFile();
      }
    }
    return deliver(file, request, wantsAttachment(request.url) ? "attachment" : "inline");
  };
}

/** Stands in for a file that does not exist. */
const nobodysFile = (key: Key | undefined) => ({ id: "", key: key ?? ("-" as Key) });

function queryOf(url: string): string {
  const start = url.indexOf("?");
  return start < 0 ? "" : url.slice(start + 1);
}

function wantsAttachment(url: string): boolean {
  const query = queryOf(url);
  return query !== "" && new URLSearchParams(query).get("download") === "1";
}
