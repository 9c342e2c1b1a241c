/** The port of the S3 API cannot be used. */
export class S3PortError extends Error {
  override readonly name = "S3PortError";

  constructor(port: number, cause: unknown) {
    super(
      `S3_PORT is "${port}", but another program uses it, or this user may not: choose another port.`,
      { cause },
    );
  }
}
