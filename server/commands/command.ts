import type { BucketAddress } from "../blobs/s3/s3-settings.ts";
import type { Config } from "../config/config.ts";
import type { Environment } from "../config/environment-reader.ts";
import type { BucketOptions } from "../config/read-bucket-address.ts";
import type { RemoteServer } from "../config/read-remote-server.ts";
import type { Options } from "./read-arguments.ts";

export interface Command {
  /** The help text: each form of the command with its meaning. A command without it is not in the help. */
  readonly usage?: Readonly<Record<string, string>>;
  readonly options?: readonly (keyof Options)[];
  /** If this returns or resolves with a number, that is the exit code. */
  run(call: CommandCall): unknown;
}

export interface CommandCall {
  /** The arguments after the command's name. */
  readonly rest: readonly string[];
  /** Only options of the command. */
  readonly options: Options;
  /** Variables in `overrides` replace those of the environment. Rejects with `ConfigError`. */
  config(overrides?: Environment): Promise<Config>;
  /** Throws `ConfigError`. */
  remoteServer(): RemoteServer;
  /** Throws `ConfigError`. */
  bucketAddress(options: BucketOptions): BucketAddress;
}
