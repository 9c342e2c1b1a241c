import type { FileObject } from "../../../contract/api.ts";
import { type Included, includable } from "../../../contract/include.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { FileRecord } from "../../domain/records.ts";
import { etag } from "../../semantics/etag.ts";
import { readMetadata } from "../../semantics/file-metadata.ts";
import { fileObject, maybeTimestamp } from "./objects.ts";

/** A file as a list shows it, with what its request includes. */
export type DescribeFile = (file: FileRecord) => FileObject;

/** `include` of a query. Fault "invalid": it names something else than there is. */
export type DescribeFiles = (include: readonly string[] | undefined) => DescribeFile;

/** Everything comes from the record, so that a list takes no other lookups. */
export function createDescribeFiles(
  lastingUrlOf: (file: FileRecord) => string | undefined,
): DescribeFiles {
  const fieldsOf: Record<Included, (file: FileRecord) => Partial<FileObject>> = {
    digest: ({ sha256 }) => ({ sha256 }),
    metadata: ({ metadata }) => ({ metadata: readMetadata(metadata) }),
    etag: ({ size, modifiedAt }) => ({ etag: etag(size, modifiedAt) }),
    lifetime: ({ expiresAt }) => ({ expiresAt: maybeTimestamp(expiresAt) }),
    lastingUrl: (file) => {
      const lastingUrl = lastingUrlOf(file);
      return lastingUrl === undefined ? {} : { lastingUrl };
    },
  };
  return (include) => {
    const included = parseInclude(include ?? []);
    if (included.length === 0) return (file) => fileObject(file);
    return (file) =>
      Object.assign(fileObject(file), ...included.map((name) => fieldsOf[name](file)));
  };
}

/** Enough to recognise a misspelt name, and too little to fill the response. */
const MAX_SHOWN_NAME = 64;

function parseInclude(given: readonly string[]): Included[] {
  const names = given.flatMap((each) => each.split(",")).filter((name) => name !== "");
  return [...new Set(names)].map((name) => {
    const known = includable.find((each) => each === name);
    if (known !== undefined) return known;
    const field = name.slice(0, MAX_SHOWN_NAME);
    throw new Fault(
      "invalid",
      `\`include\` has \`${field}\`, and can have ${includable.map((each) => `\`${each}\``).join(", ")}.`,
      { code: "unknown_field", details: { field, known: includable } },
    );
  });
}
