/** A port on an address of this machine. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** An address besides `HOST` and `PORT` cannot be listened on. */
export class AddressError extends Error {
  override readonly name = "AddressError";

  /** `variable` has the address, which is `value`. */
  constructor(variable: "S3_PORT" | "METRICS_ADDRESS", value: string, cause: unknown) {
    super(
      `${variable} is "${value}", but another program uses it, or this user may not: choose another one.`,
      { cause },
    );
  }
}
