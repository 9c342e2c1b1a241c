import { CannotRun, type Row } from "../trial.ts";

/** How the real clients reach a server. */
export interface ClientSetup {
  /** Without a trailing slash. */
  readonly url: string;
  /** Describes the connection in the table, such as "behind nginx". */
  readonly connection: string;
  /** For temporary files. */
  readonly folder: string;
  /** The approximate size of the downloaded files, in bytes. */
  readonly size: number;
  /** Prepended to each client's command, to run it in another network namespace. */
  readonly commandPrefix?: readonly string[];
}

/** The result of one kind of client. */
export interface ClientResult {
  readonly tries: number;
  /** Downloads that succeeded with wrong bytes. */
  readonly lost: number;
  readonly problems: readonly string[];
  readonly note: string;
}

/** Runs one kind of client and returns its row. A client that cannot run here counts as failed. */
export async function clientRow(fault: string, run: () => Promise<ClientResult>): Promise<Row> {
  const start = performance.now();
  try {
    const result = await run();
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    return { fault, ...result, leftovers: 0, note: `${result.note} in ${seconds} s` };
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error;
    const problems = [`could not run here. ${error.message}`];
    return { fault, tries: 0, lost: 0, leftovers: 0, problems };
  }
}
