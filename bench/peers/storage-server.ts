import type { RequestLine } from "../load.ts";
import type { Peer } from "./peer.ts";

/** A server that takes uploads and serves public files. */
export interface StorageServer extends Peer {
  /** The path at which everyone may read the file that was uploaded as `name`. */
  publicPath(name: string): string;
  /** An authorized request that creates a public file. */
  upload(name: string, content: string): RequestLine;
}
