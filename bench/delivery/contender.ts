import type { Line } from "../load.ts";
import type { HostedFiles } from "./hosted-files.ts";

/** Whoever serves the files: Holdall, or a peer. */
export interface Contender {
  readonly name: string;
  readonly url: string;
  /** Milliseconds of processor time so far, of all its processes. */
  cpu(): number;
  /** The query that opens a private file to whoever has it. */
  sign(path: string): Promise<string>;
}

/** One line of the table: the same requests to everybody. */
export interface Work {
  readonly what: string;
  readonly lines: (contender: Contender, files: HostedFiles) => Promise<Line[]> | Line[];
  readonly status: number;
  readonly connections: number;
  /** "cpu": processor time per request. "throughput": bytes per second. */
  readonly figure: "cpu" | "throughput";
  /** Beside nginx: the most for "cpu", the least for "throughput". */
  readonly bar: number;
  /** Each line once, on servers that were just started. */
  readonly cold?: true;
  /** What Caddy has no such thing as. */
  readonly withoutCaddy?: true;
}
