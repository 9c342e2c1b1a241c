import type { Fault } from "../../domain/faults/fault.ts";
import type { Brand } from "../brand/brand.ts";
import { failure } from "../connection/reply.ts";
import type { RenderFault } from "../connection/route.ts";
import { faultPage, noticeOf } from "../links/fault-page.ts";
import { createLinkPaths } from "../links/pages/link-paths.ts";
import { wantsPage } from "../links/visitor.ts";

/** A person gets a page that says what went wrong and leads back, a program the envelope. */
export const createSignInFaultPage =
  (brand: () => Brand): RenderFault =>
  (fault: Fault, request, requestId) => {
    if (!wantsPage(request)) return failure(fault);
    const { pathname } = new URL(request.url, "http://localhost");
    // Relative, so that they also work under a path prefix of a proxy.
    const paths = createLinkPaths("", pathname.split("/").length - 3);
    const link = { url: paths.site("sign-in"), label: "Back to sign-in" };
    const notice = { ...noticeOf(fault), link, isShared: false };
    return faultPage(fault, { request, requestId, target: { paths }, brand: brand() }, notice);
  };
