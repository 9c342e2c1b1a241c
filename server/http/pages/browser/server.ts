import type { Envelope } from "../../../../contract/types.ts";

/** What the server said no with, or status 0 when it could not be reached. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Asks the server. Throws a `Refusal` whose message can be shown as it is. */
export async function ask<Data>(method: string, path: string, body?: object): Promise<Data> {
  const response = await fetch(path, {
    method,
    credentials: "same-origin",
    ...(body === undefined
      ? {}
      : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Refusal(0, "The server could not be reached. Check the connection and try again.");
  });
  const answer: Envelope<Data> | undefined = await response.json().catch(() => undefined);
  if (answer !== undefined && answer.error === null) return answer.data;
  throw new Refusal(response.status, reason(response, answer?.error?.message));
}

function reason({ status, headers }: Response, message: string | undefined): string {
  const seconds = Number(headers.get("Retry-After"));
  if (status === 429) {
    return `Too many attempts. Try again ${seconds > 0 ? `in ${inWords(seconds)}` : "later"}.`;
  }
  return message ?? `The server answered with status ${status}. Try again later.`;
}

const inWords = (seconds: number): string =>
  seconds < 90 ? count(seconds, "second") : count(Math.ceil(seconds / 60), "minute");

const count = (number: number, what: string): string =>
  `${number} ${what}${number === 1 ? "" : "s"}`;
