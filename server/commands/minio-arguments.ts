import type { Environment } from "../config/environment-reader.ts";
import { MINIO_S3_PORT } from "../config/minio-environment.ts";
import { UsageError } from "../terminal/usage-error.ts";
import type { Options } from "./read-arguments.ts";

/**
 * The variables that MinIO's `server [PATH] [--address …] [--console-address …]` stands for. What MinIO
 * does and this server does not is refused. Throws UsageError.
 */
export function minioArguments(
  rest: readonly string[],
  {
    address,
    "console-address": consoleAddress,
    "certs-dir": certsDir,
  }: Pick<Options, "address" | "console-address" | "certs-dir">,
): Environment {
  const [path, ...others] = rest;
  if (others.length > 0 || (path !== undefined && /[{}]|^https?:/.test(path))) {
    throw new UsageError("`server` takes one folder: a server has one data folder.");
  }
  if (certsDir !== undefined) {
    throw new UsageError(
      "`server` takes no --certs-dir: put a proxy with TLS in front (docs/deployment.md).",
    );
  }
  const s3 = parseAddress("address", address ?? `:${MINIO_S3_PORT}`);
  const site =
    consoleAddress === undefined ? null : parseAddress("console-address", consoleAddress);
  const host = s3.host ?? site?.host;
  if (site?.host !== undefined && s3.host !== undefined && site.host !== s3.host) {
    throw new UsageError(
      "`server` listens on one host, so --address and --console-address must agree.",
    );
  }
  return {
    S3_PORT: s3.port,
    ...(path === undefined ? {} : { DATA_PATH: path }),
    ...(site === null ? {} : { PORT: site.port }),
    ...(host === undefined ? {} : { HOST: host }),
  };
}

/** `:9000`, `0.0.0.0:9000` or `[::]:9000`. */
function parseAddress(option: string, text: string): { host: string | undefined; port: string } {
  const [, host = "", port] = /^(.*):(\d{1,5})$/.exec(text) ?? [];
  if (port === undefined) {
    throw new UsageError(`--${option} must be a port such as :9000, or a host and a port.`);
  }
  return { host: host === "" ? undefined : host, port };
}
