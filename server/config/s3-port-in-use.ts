import { ConfigError } from "./config.ts";

export const s3PortInUse = (port: number, cause: unknown): ConfigError =>
  new ConfigError(
    `S3_PORT is "${port}", but another program uses it, or this user may not: choose another port.`,
    { cause },
  );
