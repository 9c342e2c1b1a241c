import { afterPrefix } from "../../../contract/text/utf8-order.ts";
import type { MultipartListRequest } from "../../catalog/port/multiparts.ts";
import type { Authorized } from "../../domain/callers/authorize.ts";
import type { SeenBy } from "../../domain/callers/caller.ts";
import type { MultipartRecord } from "../../semantics/s3/multipart.ts";
import type { SharedObjectDeps } from "../deps.ts";
import type { MultipartPage, MultipartPageRequest } from "../object-service.ts";

/** Read at once. */
const BATCH = 1000;

export function createListUploads({
  catalog,
  buckets,
}: Pick<SharedObjectDeps, "catalog" | "buckets">) {
  /** Prefix of whole keys that are visible and wanted; undefined: none is. */
  async function visiblePrefix(caller: SeenBy, { bucket, prefix }: MultipartPageRequest) {
    const wanted = `${bucket}/${prefix}`;
    const top = await buckets.topKey(caller);
    if (top === undefined) return undefined;
    if (!top.startsWith(`${bucket}/`)) return wanted;
    const inside = `${top}/`;
    if (wanted.startsWith(inside)) return wanted;
    return inside.startsWith(wanted) ? inside : undefined;
  }

  /** Uploads in order. Each `next` may say where to continue. */
  async function* walk(
    request: MultipartListRequest,
  ): AsyncGenerator<MultipartRecord, void, string | undefined> {
    let { from, after } = request;
    for (;;) {
      const found = await catalog.multipartsAfter({ ...request, from, after });
      let skipped = false;
      for (const upload of found) {
        const next = yield upload;
        after = { key: upload.key, id: upload.id };
        if (next === undefined) continue;
        from = next;
        skipped = true;
        break;
      }
      if (!skipped && found.length < request.limit) return;
    }
  }

  return async (
    caller: Authorized<"list">,
    request: MultipartPageRequest,
  ): Promise<MultipartPage> => {
    const { bucket, delimiter, limit } = request;
    await buckets.require(caller, bucket);
    const prefix = await visiblePrefix(caller, request);
    const start = startOf(request);
    if (prefix === undefined || start === undefined || limit <= 0) {
      return { entries: [], more: false };
    }
    const uploads = walk({ bucket, prefix, limit: Math.min(limit + 1, BATCH), ...start });
    const entries: MultipartPage["entries"][number][] = [];
    let skipTo: string | undefined;
    while (entries.length <= limit) {
      const { value: upload, done } = await uploads.next(skipTo);
      if (done || upload === undefined) break;
      skipTo = undefined;
      const key = upload.key.slice(bucket.length + 1);
      const common = commonPrefix(key, request.prefix, delimiter);
      if (common === undefined) entries.push({ kind: "upload", upload });
      else {
        entries.push({ kind: "prefix", prefix: common });
        skipTo = afterPrefix(`${bucket}/${common}`);
        if (skipTo === undefined) break;
      }
    }
    return { entries: entries.slice(0, limit), more: entries.length > limit };
  };
}

/** undefined: nothing comes after. */
function startOf({
  bucket,
  prefix,
  delimiter,
  after,
}: MultipartPageRequest): Pick<MultipartListRequest, "from" | "after"> | undefined {
  if (after === undefined) return {};
  const common = after.key.startsWith(prefix)
    ? commonPrefix(after.key, prefix, delimiter)
    : undefined;
  if (common === undefined) return { after: { ...after, key: `${bucket}/${after.key}` } };
  const from = afterPrefix(`${bucket}/${common}`);
  return from === undefined ? undefined : { from };
}

function commonPrefix(
  key: string,
  prefix: string,
  delimiter: string | undefined,
): string | undefined {
  const at = delimiter === undefined ? -1 : key.indexOf(delimiter, prefix.length);
  return at === -1 ? undefined : key.slice(0, at + (delimiter ?? "").length);
}
