/** What the headers of a part say. */
export interface PartHead {
  readonly name: string;
  /** undefined: a plain field. "": a file input that was left empty. */
  readonly filename: string | undefined;
  /** The part's Content-Type as sent, or undefined when it has none. */
  readonly type: string | undefined;
}

/** One part of a form. Its body can be read once, and only until the next part is asked for. */
export interface Part extends PartHead {
  readonly body: AsyncIterable<Uint8Array>;
}
