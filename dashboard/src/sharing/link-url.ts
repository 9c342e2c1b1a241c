import type { LinkObject } from "../../../sdk/src/holdall.ts";
import { holdall } from "../app/connection/client.ts";

/** The absolute URL of a link; undefined if the server does not know it any more. */
export const linkUrl = ({ url }: LinkObject): string | undefined =>
  url === null ? undefined : holdall.url({ url });
