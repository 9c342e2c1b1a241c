/** The parsed headers of a part. */
export interface PartHead {
  readonly name: string;
  /** undefined: a field that is not a file. "": a file input without a file. */
  readonly filename: string | undefined;
  /** The part's Content-Type as sent; undefined: none. */
  readonly type: string | undefined;
}

/** One part of a form. Its body can be read once, and only until the next part is requested. */
export interface Part extends PartHead {
  readonly body: AsyncIterable<Uint8Array>;
}
