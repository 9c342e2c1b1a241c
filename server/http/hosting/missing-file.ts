import { noSuchFile } from "../../files/find.ts";
import { fileHeaders } from "../../semantics/plan-delivery.ts";
import type { Brand } from "../brand/brand.ts";
import { staticFailure } from "../connection/reply.ts";
import { createLinkPaths } from "../links/pages/link-paths.ts";
import { type Notice, noticePage } from "../links/pages/notice-page.ts";
import { pageResponse } from "../links/respond.ts";
import { wantsPage } from "../links/visitor.ts";

const asJson = staticFailure(noSuchFile(), { ...fileHeaders, Vary: "Accept" });

const NOTICE: Notice = {
  icon: "broken",
  title: "This file can't be opened",
  text: "The address may be wrong, the file may have been deleted or made private, or the link may have expired. Ask the person who sent it for a new one.",
  isShared: false,
};

/** 404 of hosting. */
export type MissingFile = (request: Request) => Response;

/**
 * The same for a missing file and for one that the request may not read: a page for browsers, the envelope
 * for programs. `base`: the path below which a proxy shows the site.
 */
export function createMissingFile(brand: () => Brand, base: string): MissingFile {
  // Relative URLs would differ from path to path, and so would the bytes of the page.
  const paths = { ...createLinkPaths("", 0), site: (path: string) => `${base}/${path}` };
  return (request) => {
    if (!wantsPage(request)) return asJson();
    const frame = { paths, nonce: "", expiresAt: null, brand: brand() };
    const headers = { "Accept-Ranges": "bytes", Vary: "Accept, Accept-Encoding" };
    return pageResponse(noticePage(frame, NOTICE), request, { status: 404, headers });
  };
}
