/** A download that does not have the digest that the server gave. */
export class DigestError extends Error {
  override readonly name = "DigestError";
}
