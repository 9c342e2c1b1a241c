import type { Access } from "../access/access.ts";
import type { Instance } from "../instance/open-instance.ts";
import type { StartupInfo } from "../instance/startup-info.ts";
import type { Log } from "../log.ts";
import type { ProcessCounts } from "../metrics/request-counts.ts";
import type { PeerEvent } from "./rpc.ts";
import type { SharedState } from "./shared-state.ts";

/** A server, in one process or several. */
export interface App {
  /** Starts to listen. Throws the runtime's error if the address cannot be used. */
  start(): Promise<StartupInfo>;
  /** Lets proxies in front send their requests elsewhere; resolves within 10 s. */
  drain(): Promise<void>;
  /** Waits up to `graceMs` for pending requests, then closes everything. */
  stop(graceMs: number): Promise<void>;
}

export interface Ports {
  readonly port: number;
  /** null: the S3 API has no port of its own. */
  readonly s3Port: number | null;
}

/** The service that each process of a server runs. */
export interface Service {
  readonly access: Access;
  /** Returns the port of the site. Throws the runtime's error if the address cannot be used. */
  listen(ports: Ports, sharing: "exclusive" | "shared"): number;
  /** Makes this process the leader, which does the background jobs of the server. */
  startBackgroundJobs(): void;
  /** Cleans up the leases of another process of the server, which has exited. */
  reclaimLeases(workerId: string): Promise<void>;
  /** What this process has counted; undefined: it counts nothing. */
  readCounts(): ProcessCounts | undefined;
  /** Handles an event that another worker has broadcast. */
  onEvent(event: PeerEvent): Promise<void>;
  /** See `App.drain`. */
  drain(): Promise<void>;
  /** Waits up to `graceMs` for pending requests, then closes everything, the instance included. */
  stop(graceMs: number): Promise<void>;
}

/** Wires up the service, which does not listen yet. */
export type CreateService = (
  instance: Instance,
  log: Log,
  sharedState: SharedState,
) => Promise<Service>;
