import { type JsonSchema, toJsonSchema } from "../../../contract/json-schema.ts";
import { TAGS } from "../../../contract/openapi.ts";
import type { Operation, Tag } from "../../../contract/operation.ts";
import { operations } from "../../../contract/operations.ts";

/** A page of the API reference with the operations of a tag. */
export interface ReferenceTopic {
  /** The last segment of the page's address. */
  readonly slug: string;
  readonly name: Tag;
  readonly description: string;
  readonly operations: readonly Operation[];
}

/** Addresses stay when a tag gets another name. */
const SLUGS: Readonly<Record<Tag, string>> = {
  Files: "files",
  "Resumable uploads": "uploads",
  Hosting: "hosting",
  Links: "links",
  Folders: "folders",
  "Trash and versions": "trash",
  Webhooks: "webhooks",
  "API keys": "keys",
  Account: "account",
  People: "people",
  Insight: "insight",
  Settings: "settings",
  Service: "service",
};

const all: readonly Operation[] = Object.values<Operation>(operations);

/** The pages with operations, in their order. */
export const referenceTopics: readonly ReferenceTopic[] = TAGS.map(({ name, description }) => ({
  slug: SLUGS[name],
  name,
  description,
  operations: all.filter(({ tag }) => tag === name),
}));

/** The address of an operation, below `docs/`. */
export const operationUrl = ({ id, tag }: Operation): string => `api/${SLUGS[tag]}#${id}`;

/** The objects that responses contain, by name. */
export function namedObjects(): Readonly<Record<string, JsonSchema>> {
  const named: Record<string, JsonSchema> = {};
  for (const { response } of all) {
    if ("data" in response) Object.assign(named, toJsonSchema(response.data, "output").named);
  }
  return named;
}

/** The anchor of an object on the page of all objects. */
export const objectAnchor = (name: string): string => `object-${name.toLowerCase()}`;
