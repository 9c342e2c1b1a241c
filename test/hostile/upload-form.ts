import { connect } from "node:net";
import { type RawHttpResponse, rawRequest } from "../raw.ts";
import type { MutatedForm } from "./mutated-form.ts";

interface Target {
  readonly url: string;
  readonly apiKey: string;
}

const headOf = (target: Target, { contentType, body }: MutatedForm): string =>
  [
    "POST /api/files HTTP/1.1",
    "Host: a",
    "Connection: close",
    `API-Key: ${target.apiKey}`,
    `Content-Type: ${contentType}`,
    `Content-Length: ${body.length}`,
    "",
    "",
  ].join("\r\n");

/** Uploads the form byte for byte. */
export function uploadForm(target: Target, form: MutatedForm): Promise<RawHttpResponse> {
  const bytes = Buffer.from(headOf(target, form) + form.body, "latin1");
  return rawRequest(Number(new URL(target.url).port), bytes);
}

/** Uploads the form with a larger Content-Length and resets the connection before the end. */
export async function abortUpload(target: Target, form: MutatedForm): Promise<void> {
  const longer = { ...form, body: `${form.body}${"z".repeat(1_000)}` };
  const socket = connect({ host: "127.0.0.1", port: Number(new URL(target.url).port) });
  socket.on("error", () => {});
  await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
  socket.write(Buffer.from(headOf(target, longer) + form.body, "latin1"));
  // Nothing shows that the server has read the form.
  await Bun.sleep(100);
  socket.resetAndDestroy();
}
