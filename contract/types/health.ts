/** The state of an instance, for its operator. */
export interface HealthDetails {
  readonly version: string;
  /** When the process that answered was started. */
  readonly startedAt: string;
  /** The `DATA_PATH` that commands on the server need; null: the default. */
  readonly dataPath: string | null;
  readonly workers: { readonly configured: number; readonly running: number };
  readonly jobs: HealthJob[];
  readonly parts: HealthPart[];
  readonly storage: HealthStorage;
  readonly catalog: { readonly bytes: number | null };
  readonly uploads: { readonly open: number };
  readonly scrub: HealthScrub;
  readonly verification: HealthVerification | null;
  readonly backup: HealthBackup | null;
  readonly quarantine: { readonly count: number; readonly latest: string | null } | null;
  readonly lostRecords: { readonly since: string; readonly reason: string } | null;
}

export interface HealthJob {
  readonly name: string;
  readonly succeededAt: string | null;
  readonly lastError: string | null;
  /** Failures since the last success. */
  readonly failures: number;
}

export interface HealthPart {
  readonly part: "catalog" | "blobs" | "redis";
  readonly kind: "sqlite" | "postgres" | "disk" | "s3" | "redis";
  readonly problem: string | null;
}

export interface HealthStorage {
  readonly files: number;
  readonly bytes: number;
  readonly trash: { readonly files: number; readonly bytes: number };
  readonly versions: { readonly count: number; readonly bytes: number };
  readonly volume: { readonly free: number; readonly size: number } | null;
  readonly reserved: number;
}

export interface HealthScrub {
  readonly state: "never" | "running" | "paused" | "finished";
  /** Seconds. */
  readonly every: number | null;
  /** Bytes per second. */
  readonly rate: number;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly files: number;
  readonly bytes: number;
  readonly found: number;
  /** Findings of the previous check that this one has not come to yet. */
  readonly earlier: number;
  readonly findings: HealthFinding[];
}

export interface HealthFinding {
  readonly type: "missing" | "damaged";
  readonly fileId: string;
  readonly key: string | null;
  readonly place: string;
}

export interface HealthVerification {
  readonly finishedAt: string;
  readonly quick: boolean;
  readonly files: number;
  readonly bytes: number;
  readonly missing: number;
  readonly damaged: number;
  readonly foreign: number;
  readonly catalog: number;
  readonly repaired: boolean;
}

export interface HealthBackup {
  readonly finishedAt: string;
  readonly asOf: string;
  readonly path: string;
  readonly files: number;
  readonly bytes: number;
  readonly damaged: number;
}
