import type { ChangeObject } from "../../../sdk/src/holdall.ts";
import { newWebhookSecret, signMessage } from "../../../server/semantics/webhook-signature.ts";
import { UsageError } from "../../../server/terminal/usage-error.ts";
import { exitCodes } from "../exit-codes.ts";
import type { RemoteSession } from "../run-remote.ts";

export interface ListenOptions {
  readonly folder?: string | undefined;
  readonly secret?: string | undefined;
}

const TIMEOUT_MS = 10_000;

/**
 * `listen URL [--folder KEY] [--secret SECRET]`: sends each change to a local receiver, as a webhook would, until
 * it is interrupted. Needs no webhook, and the server need not reach the receiver. Failed deliveries are not
 * repeated.
 */
export async function listenRemote(
  { holdall, output, signal }: RemoteSession,
  [url, ...more]: readonly string[],
  { folder, secret = newWebhookSecret() }: ListenOptions,
): Promise<number> {
  if (url === undefined || more.length > 0 || !/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new UsageError("`listen` takes the http URL of a local receiver.");
  }
  const { cursor } = await holdall.changes.list({ signal });
  await output.print(
    { type: "listening", url, secret },
    `Sending changes to ${url}. Secret: ${secret}`,
  );
  for await (const change of holdall.changes.follow({ since: cursor, folder, signal })) {
    const status = await forward(change, { url, secret, signal });
    const { kind, key } = change;
    await output.print(
      { type: "delivery", kind, key, status },
      `${status ?? "failed"}  ${kind}  ${key}`,
    );
  }
  return exitCodes.done;
}

interface Target {
  readonly url: string;
  readonly secret: string;
  readonly signal: AbortSignal;
}

/** The status of the response; null: there was none. */
async function forward(
  change: ChangeObject,
  { url, secret, signal }: Target,
): Promise<number | null> {
  const timestamp = Math.floor(Date.now() / 1000);
  const id = `msg_${change.cursor}`;
  const body = JSON.stringify({
    type: change.kind,
    timestamp: new Date(`${change.at.replace(" ", "T")}Z`).toISOString(),
    data: change,
  });
  try {
    const response = await fetch(url, {
      method: "POST",
      redirect: "manual",
      headers: {
        "content-type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": String(timestamp),
        "webhook-signature": signMessage({ id, timestamp, body }, [secret]),
      },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}
