import { afterAll } from "bun:test";
import { type Environment, startServer } from "../../test/harness.ts";
import { Holdall, HoldallError } from "./holdall.ts";

/** A server for the tests of a file, and a client with its API key. */
export async function startClient(env: Environment = {}) {
  const server = await startServer(env);
  afterAll(() => server.discard());
  return { server, holdall: new Holdall({ url: server.url, apiKey: server.apiKey }) };
}

export const text = (content: string) => new Blob([content], { type: "text/plain" });

/** The status of the error of a call; -1: it has none, or the call succeeded. */
export async function status(promise: Promise<unknown>): Promise<number> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof HoldallError ? error.status : -1;
}
