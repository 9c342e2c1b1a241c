import type { SettingValues } from "../../contract/settings.ts";
import type { OidcSettings } from "../access/oidc/oidc-settings.ts";
import type { BlobChoice } from "../blobs/drivers.ts";
import type { CatalogChoice } from "../catalog/drivers.ts";
import type { ListenAddress } from "../domain/listen-address.ts";
import type { RedisSettings } from "../redis/redis-settings.ts";
import type { DeliveryMode } from "../semantics/plan-delivery.ts";

/** The environment, parsed. */
export interface Config {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** The number of processes that serve. */
  readonly workers: number;
  readonly dataPath: string;
  /** Which engine keeps the catalog. */
  readonly catalog: CatalogChoice;
  /** Which store keeps the blobs. */
  readonly blobs: BlobChoice;
  /** The Redis in which several servers count requests and failed sign-ins together; null: each counts by itself. */
  readonly redis: RedisSettings | null;
  readonly delivery: DeliveryMode;
  /** The path of nginx's internal location for the blobs, with a slash at both ends. */
  readonly deliveryPrefix: string;
  /** Without a trailing slash; null: the address of each request. */
  readonly publicUrl: string | null;
  readonly production: boolean;
  readonly logLevel: "debug" | "info" | "warn" | "error" | "silent";
  /** Whether each request is logged. */
  readonly accessLog: boolean;
  /** null: no metrics are served. */
  readonly metricsAddress: ListenAddress | null;
  /** The settings that the environment pins. */
  readonly settings: PinnedSettings;
  /** null: generated on the first start and stored in the data folder. */
  readonly authSecret: string | null;
  readonly apiRequestsPerMinute: number;
  readonly hostingRequestsPerMinute: number;
  readonly linkRequestsPerMinute: number;
  /** 0: no limit. */
  readonly s3RequestsPerMinute: number;
  /** Per session, on the API and at hosting URLs together. 0: no limit. */
  readonly sessionRequestsPerMinute: number;
  /** The host of the S3 API, in lower case; null: it has no host of its own. */
  readonly s3ApiDomain: string | null;
  /** The port on which every request is one of the S3 API; null: it has no port of its own. */
  readonly s3Port: number | null;
  /** Whether S3 clients may sign with Version 2. */
  readonly acceptsSignatureV2: boolean;
  /** Whether the operator says that objects are kept on an encrypted volume. */
  readonly acceptsEncryption: boolean;
  /** Credentials of the S3 API from the environment; null: none. */
  readonly initialS3: InitialS3 | null;
  readonly initialBuckets: readonly InitialBucket[];
  /** The variables of MinIO that stand for ours. */
  readonly minioNames: readonly string[];
  readonly trustedProxies: readonly string[];
  /** Entries for `parseAllowed`. */
  readonly outgoingAllow: readonly string[];
  readonly administrator: { readonly email: string; readonly password: string } | null;
  /** null: nobody signs in with a provider. */
  readonly oidc: OidcSettings | null;
  /** Whether a password signs in. */
  readonly passwordSignIn: boolean;
  readonly initialApiKey: string | null;
  /** Milliseconds from the start of one scrub to the start of the next; null: never. */
  readonly scrubEvery: number | null;
  /** Bytes per second. */
  readonly scrubRate: number;
  /** Size of the cache for small files, in bytes. */
  readonly fileMemory: number;
  /** Space for smaller sizes of images, in bytes; 0: none are made. */
  readonly imageSpace: number;
  /** How long open uploads and batches stay after their last progress, in milliseconds. */
  readonly uploadExpiry: number;
  /** The most open uploads of an API key or account. */
  readonly maxOpenUploads: number;
}

/** Credentials of the S3 API that are valid while they are in the environment. */
export interface InitialS3 {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A bucket that the first start creates. */
export interface InitialBucket {
  readonly name: string;
  /** Whether everyone may read the objects that are stored in it. */
  readonly isPublic: boolean;
}

export type PinnedSettings = Partial<SettingValues>;

/** The configuration is invalid: a line for each wrong value, with the variable, the value and what is allowed. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
