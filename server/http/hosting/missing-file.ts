import { isDeepStrictEqual } from "node:util";
import { gzipSync } from "node:zlib";
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
  const headers = { "Accept-Ranges": "bytes", Vary: "Accept, Accept-Encoding" };

  function renderPage(brandNow: Brand) {
    const page = noticePage({ paths, nonce: "", expiresAt: null, brand: brandNow }, NOTICE);
    return { brand: brandNow, page, gzipped: gzipSync(page) };
  }

  // Anybody may request missing files at any rate, so each brand's page is rendered only once.
  let kept: ReturnType<typeof renderPage> | undefined;

  return (request) => {
    if (!wantsPage(request)) return asJson();
    const brandNow = brand();
    if (kept === undefined || !isDeepStrictEqual(kept.brand, brandNow)) kept = renderPage(brandNow);
    const { page, gzipped } = kept;
    return pageResponse(page, request, { status: 404, headers, isSandboxed: true, gzipped });
  };
}
