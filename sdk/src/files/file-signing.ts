import type { FilesSigned, SignedUrl } from "../../../contract/api.ts";
import { MAX_SIGNED_FILES } from "../../../contract/max-signed-files.ts";
import { call } from "../connection/call.ts";
import { HoldallError, incomplete } from "../connection/error.ts";
import type { CallOptions } from "../connection/options.ts";
import type { Transport } from "../connection/transport.ts";
import { type FileSelector, fileQuery, filesQuery, isList } from "./file-selector.ts";

export interface SignOptions extends CallOptions {
  /** Validity in seconds, at most the server's maximum. Default: the server's default. */
  readonly expiresIn?: number | undefined;
}

export interface SignedLink {
  /** Absolute. */
  readonly url: string;
  readonly expiresAt: Date;
}

export interface SignedFile extends SignedLink {
  readonly id: string;
  readonly key: string;
}

export type SigningFailure = FilesSigned["failed"][number];

/** Both lists are in the order of the files. */
export interface ManySigned {
  readonly signed: SignedFile[];
  readonly failed: SigningFailure[];
}

/** URLs that give access without credentials until they expire. */
export interface FileSigning {
  /** Creates a URL that gives access without credentials until it expires. */
  sign(file: FileSelector, options?: SignOptions): Promise<SignedLink>;
  /** The URLs in the order of the files. 404: one of them does not exist. */
  sign(files: readonly FileSelector[], options?: SignOptions): Promise<SignedLink[]>;
  /** Like `sign`. Files that do not exist are in `failed`, by the ids or keys given. */
  signMany(files: readonly FileSelector[], options?: SignOptions): Promise<ManySigned>;
}

/** The signed URL of a response, absolute. */
export const linkOf = (transport: Transport, { url, expiresAt }: SignedUrl): SignedLink => ({
  url: transport.absoluteUrl(url),
  expiresAt: new Date(expiresAt),
});

export function createFileSigning(transport: Transport): FileSigning {
  function sign(file: FileSelector, options?: SignOptions): Promise<SignedLink>;
  function sign(files: readonly FileSelector[], options?: SignOptions): Promise<SignedLink[]>;
  async function sign(
    file: FileSelector | readonly FileSelector[],
    options: SignOptions = {},
  ): Promise<SignedLink | SignedLink[]> {
    const { expiresIn, signal } = options;
    if (isList(file)) {
      const { signed, failed } = await signMany(file, options);
      const [missing] = failed;
      if (missing) throw new HoldallError(404, missing.message);
      return signed;
    }
    const body = { ...fileQuery(file), expiresIn };
    const data = await call(transport, "signFile", { body, signal });
    // `ids` would get `signed`.
    if (!("url" in data)) throw incomplete();
    return linkOf(transport, data);
  }

  const signMany: FileSigning["signMany"] = async (files, { expiresIn, signal } = {}) => {
    const signed: SignedFile[] = [];
    const failed: SigningFailure[] = [];
    const [[field = "ids", all = []] = []] = Object.entries(filesQuery(files));
    for (let at = 0; at < all.length; at += MAX_SIGNED_FILES) {
      const body = { [field]: all.slice(at, at + MAX_SIGNED_FILES), expiresIn };
      const data = await call(transport, "signFile", { body, signal });
      if (!("signed" in data)) throw incomplete();
      signed.push(...data.signed.map((each) => ({ ...each, ...linkOf(transport, each) })));
      failed.push(...data.failed);
    }
    return { signed, failed };
  };

  return { sign, signMany };
}
