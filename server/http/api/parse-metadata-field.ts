import { Fault } from "../../domain/fault.ts";
import type { MetadataText } from "../../domain/records.ts";
import { changeMetadata, parseMetadata } from "../../semantics/file-metadata.ts";

/** The `metadata` field of an upload: a JSON object. null: it sets no field. Fault "invalid". */
export function parseMetadataField(text: string): MetadataText | null {
  return changeMetadata(null, parseMetadata(parseObject(text)));
}

function parseObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {}
  throw new Fault(
    "invalid",
    '`metadata` must be a JSON object, such as `{"cacheControl":"public, max-age=3600"}`.',
  );
}
