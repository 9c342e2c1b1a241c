import type {
  LinkObject,
  LinkOptions,
  LinkPage,
  LinkParameters,
  NewLink,
} from "../../contract/types/links.ts";
import { eachPage } from "./each-page.ts";
import type { CallOptions } from "./options.ts";
import type { Transport } from "./transport.ts";

/** Links for visitors. Every method throws a `HoldallError` if the request fails. */
export interface Links {
  /** One page, newest first. Default limit: 50. */
  list(options?: LinkParameters & CallOptions): Promise<LinkPage>;
  /** All links, requested in pages of `limit`. */
  each(options?: LinkParameters & CallOptions): AsyncGenerator<LinkObject, void>;
  /** 404: the file or folder does not exist. */
  create(link: NewLink, options?: CallOptions): Promise<LinkObject>;
  /** What is left out stays; `null` removes a limit. 404: unknown. 409: revoked. */
  change(id: string, change: LinkOptions, options?: CallOptions): Promise<LinkObject>;
  /** Ends the link permanently, and with it all visits. 404: unknown. 409: revoked already. */
  revoke(id: string, options?: CallOptions): Promise<LinkObject>;
}

const PATH = "/api/links";

export function createLinks(transport: Transport): Links {
  const list: Links["list"] = ({ signal, includeRevoked, ...query } = {}) => {
    const wanted = { ...query, includeRevoked: includeRevoked === true ? "1" : undefined };
    return transport.json<LinkPage>({ method: "GET", path: PATH, query: wanted, signal });
  };

  async function send(
    method: "POST" | "PUT" | "DELETE",
    body: object,
    { signal }: CallOptions = {},
  ): Promise<LinkObject> {
    return (await transport.json<{ link: LinkObject }>({ method, path: PATH, body, signal })).link;
  }

  return {
    list,
    async *each(options = {}) {
      for await (const { links } of eachPage(list, options)) yield* links;
    },
    create: (link, options) => send("POST", link, options),
    change: (id, change, options) => send("PUT", { id, ...change }, options),
    revoke: (id, options) => send("DELETE", { id }, options),
  };
}
