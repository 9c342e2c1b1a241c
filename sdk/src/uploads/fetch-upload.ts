import { call, type Data } from "../connection/call.ts";
import type { CallOptions } from "../connection/options.ts";
import type { Transport } from "../connection/transport.ts";

/** An upload with its limits and, once it is complete, its file, unless it is in a batch or was skipped. */
export type ShownUpload = Data<"showUpload">;

export const fetchUpload = (
  transport: Transport,
  url: string,
  { signal }: CallOptions,
): Promise<ShownUpload> => call(transport, "showUpload", { url, signal });
