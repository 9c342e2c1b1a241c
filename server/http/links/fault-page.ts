import type { Fault } from "../../domain/faults/fault.ts";
import type { Brand } from "../brand/brand.ts";
import { statusOf } from "../connection/reply.ts";
import { createNonce } from "../pages/security-headers.ts";
import type { LinkTarget } from "./link-target.ts";
import { type Notice, noticePage, UNAVAILABLE } from "./pages/notice-page.ts";
import { pageResponse } from "./respond.ts";

export interface FailedRequest {
  readonly request: Request;
  readonly requestId: string;
  readonly target: Pick<LinkTarget, "paths">;
  readonly brand: Brand;
}

/** A page that says what is wrong, with the status of the fault. */
export function faultPage(
  fault: Fault,
  { request, requestId, target, brand }: FailedRequest,
  notice = noticeOf(fault),
): Response {
  const nonce = createNonce();
  const page = noticePage(
    { paths: target.paths, nonce, expiresAt: null, brand },
    { ...notice, requestId },
  );
  const { retryAfter } = fault;
  const headers = retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) };
  return pageResponse(page, request, { nonce, status: statusOf(fault), headers });
}

export function noticeOf(fault: Fault): Notice {
  if (fault.kind === "not_found" || fault.kind === "gone") return UNAVAILABLE;
  if (fault.kind === "rate_limited" || fault.kind === "unavailable") {
    return { icon: "clock", title: "Try again shortly", text: fault.message };
  }
  return { icon: "broken", title: "That did not work", text: fault.message };
}
