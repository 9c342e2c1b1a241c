import type { S3Access } from "../../access/s3/s3-access.ts";
import type { Millis } from "../../domain/records.ts";
import type { Files } from "../../files/files.ts";
import type { IsReady } from "../../health/readiness.ts";
import type { Objects } from "../../objects/objects.ts";
import type { Gate } from "../connection/gate.ts";
import type { Meter } from "../connection/route.ts";
import type { RunOperation } from "../connection/run-operation.ts";
import type { SendDeps, SendFile } from "../hosting/send-file.ts";

/** What the S3 API needs of the site. */
export interface S3Deps {
  readonly access: S3Access;
  readonly objects: Objects;
  readonly files: Pick<Files, "look" | "read" | "change">;
  readonly send: SendFile;
  readonly gate: Pick<Gate, "admit" | "clientOf" | "inTurn" | "note" | "openBody">;
  readonly runOperation: RunOperation;
  /** Called with the status of each response with an object. */
  readonly meter: (status: number) => void;
  /** Same as in `DeliveryDeps`. */
  readonly onSend: SendDeps["onSend"];
  /** Called with the status of each response. */
  readonly keyMeter: Meter;
  /** Same as in `RouteBasics`. */
  readonly watchReader: (request: Request) => void;
  /** Notes the operation of a request, once it is known. */
  readonly noteOperation: (request: Request, name: string) => void;
  /** The clock that lifetimes count by. */
  readonly now: () => Millis;
  readonly freshSettings: () => Promise<void> | undefined;
  /** Without a trailing slash; null: the host that each request names. */
  readonly publicUrl: string | null;
  /** Requests to this host, and to its subdomains as buckets, are all of the S3 API. null: none. */
  readonly domain: string | null;
  /** Whether buckets without CORS rules allow every origin. */
  readonly corsByDefault: boolean;
  /** Whether the operator says that objects are kept encrypted. */
  readonly acceptsEncryption: boolean;
  readonly isReady: IsReady;
  readonly onError: (error: unknown, requestId: string) => void;
}
