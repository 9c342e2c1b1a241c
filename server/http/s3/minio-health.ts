import type { IsReady } from "../../health/readiness.ts";

/** The addresses of MinIO's health checks, which need no signature. */
const PATHS = new Map<string, "live" | "ready">([
  ["/minio/health/live", "live"],
  ["/minio/health/ready", "ready"],
  ["/minio/health/cluster", "ready"],
  ["/minio/health/cluster/read", "ready"],
]);

/** The response to one of MinIO's health checks; undefined: the request is another. */
export function minioHealth(
  path: string,
  method: string,
  isReady: IsReady,
): Promise<Response> | undefined {
  const check = method === "GET" || method === "HEAD" ? PATHS.get(path) : undefined;
  if (check === undefined) return undefined;
  if (check === "live") return Promise.resolve(new Response(null, { status: 200 }));
  return isReady().then(
    () => new Response(null, { status: 200 }),
    () => new Response(null, { status: 503, headers: { "Retry-After": "5" } }),
  );
}
