import type { LinkObject } from "../../../contract/api.ts";
import { type Body, call, type Data, type Query, sends } from "../connection/call.ts";
import { eachItem } from "../connection/each-page.ts";
import { flag } from "../connection/flag.ts";
import type { CallOptions } from "../connection/options.ts";
import type { Transport } from "../connection/transport.ts";

/** The properties of a link that can be set. */
export type LinkOptions = Omit<Body<"changeLink">, "id">;

export type NewLink = Omit<Body<"createLink">, "fileId" | "folderId"> &
  ({ readonly fileId: string } | { readonly folderId: string });

export interface LinkParameters extends Omit<Query<"listLinks">, "includeRevoked"> {
  readonly includeRevoked?: boolean | undefined;
}

/** `links` has the newest first. */
export type LinkPage = Data<"listLinks">;

/** Links for visitors. Every method throws a `HoldallError` if the request fails. */
export interface Links {
  /** One page, newest first. Default limit: 50. */
  list(options?: LinkParameters & CallOptions): Promise<LinkPage>;
  /** All links, requested in pages of `limit`. */
  each(options?: LinkParameters & CallOptions): AsyncGenerator<LinkObject, void>;
  /** 404: the file or folder does not exist. */
  create(link: NewLink, options?: CallOptions): Promise<LinkObject>;
  /** Changes a link. A field that is left out stays; `null` removes a limit. 404: unknown. 409: revoked. */
  change(id: string, change: LinkOptions, options?: CallOptions): Promise<LinkObject>;
  /** Ends the link permanently, and with it all visits. 404: unknown. 409: revoked already. */
  revoke(id: string, options?: CallOptions): Promise<LinkObject>;
}

export function createLinks(transport: Transport): Links {
  const list: Links["list"] = ({ signal, includeRevoked, ...query } = {}) =>
    call(transport, "listLinks", {
      query: { ...query, includeRevoked: flag(includeRevoked) },
      signal,
    });
  const change = sends(transport, "changeLink", "link");
  const revoke = sends(transport, "revokeLink", "link");
  return {
    list,
    each: (options = {}) => eachItem("links", list, options),
    create: sends(transport, "createLink", "link"),
    change: (id, limits, options) => change({ ...limits, id }, options),
    revoke: (id, options) => revoke({ id }, options),
  };
}
