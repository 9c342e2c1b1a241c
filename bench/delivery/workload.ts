import type { RequestLine } from "../load.ts";
import type { HostedFiles } from "./hosted-files.ts";

/** A server of the files: Holdall or a peer. */
export interface Contender {
  readonly name: string;
  readonly url: string;
  /** Processor time used so far by all its processes, in milliseconds. */
  cpu(): number;
  /** Returns the query that signs the URL of a private file. */
  sign(path: string): Promise<string>;
}

/** One row of the table: the same requests for every contender. */
export interface Workload {
  readonly what: string;
  readonly lines: (
    contender: Contender,
    files: HostedFiles,
  ) => Promise<RequestLine[]> | RequestLine[];
  readonly status: number;
  readonly connections: number;
  /** "cpu": processor time per request. "throughput": bytes per second. */
  readonly figure: "cpu" | "throughput";
  /** Compared with nginx: an upper bound for "cpu", a lower bound for "throughput". */
  readonly bar: number;
  /** Compared with Caddy: an upper bound of the processor time. Default: 0.5. */
  readonly caddyBar?: number;
  /** Send each line once, to freshly started servers. */
  readonly cold?: true;
  /** Caddy has no such feature. */
  readonly withoutCaddy?: true;
}
