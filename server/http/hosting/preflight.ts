import { fileHeaders } from "../../semantics/plan-delivery.ts";

/**
 * The methods, the same for every path. Also the CORS preflight, which lets scripts of other origins read
 * public files with ranges and conditions.
 */
export function options({ headers }: Request): Response {
  const isPreflight = headers.has("access-control-request-method");
  return new Response(null, {
    status: 204,
    headers: { ...fileHeaders, ...(isPreflight ? PREFLIGHT : { Allow: "GET, HEAD, OPTIONS" }) },
  });
}

/** Every header that changes the response to a script's request. */
const EVALUATED = [
  ...["Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since"],
  ...["If-Unmodified-Since", "Want-Repr-Digest"],
];

const PREFLIGHT = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "GET, HEAD",
  "Access-Control-Allow-Headers": EVALUATED.join(", "),
  "Access-Control-Max-Age": "86400",
};
