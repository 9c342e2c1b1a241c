import { type JsonSchema, toJsonSchema } from "../../../contract/json-schema.ts";
import type { Operation } from "../../../contract/operation.ts";
import { fieldsOf } from "./fields.ts";
import type { Markup } from "./html.ts";
import { basics } from "./reference-basics.ts";
import { namedObjects, objectAnchor, operationUrl, referenceTopics } from "./reference-topics.ts";

/** A part of the API reference as the search of the documents finds it. */
export interface ReferencePassage {
  /** The address relative to `docs/`, with the anchor. */
  readonly url: string;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
}

/** Every chapter, operation and object of the API reference. */
export const referencePassages = (): ReferencePassage[] => [
  ...basics.map(({ id, title, text }) => ({
    url: `api/basics#${id}`,
    title: "API reference",
    heading: title,
    text: textOf(text),
  })),
  ...referenceTopics.flatMap(({ operations }) => operations.map(operationPassage)),
  ...Object.entries(namedObjects()).map(([name, schema]) => ({
    url: `api/objects#${objectAnchor(name)}`,
    title: "API object",
    heading: name,
    text: namesOf(schema),
  })),
];

/** The passage of an operation: the search finds it also by its path, its method of the SDK and its fields. */
function operationPassage(operation: Operation): ReferencePassage {
  const { id, method, path, summary, description = "", query, body, example } = operation;
  const json = body !== undefined && "json" in body ? body.json : undefined;
  const inputs = [query, json].flatMap((schema) => schema ?? []);
  return {
    url: operationUrl(operation),
    title: `${method} ${path.replace("*}", "}")}`,
    heading: summary,
    text: [
      id,
      /holdall\.[\w.]+/.exec(example.sdk)?.[0],
      description.replaceAll("`", ""),
      ...inputs.map((schema) => namesOf(toJsonSchema(schema, "input").schema)),
    ].join(" "),
  };
}

const namesOf = (schema: JsonSchema): string =>
  fieldsOf(schema)
    .map(({ name }) => name)
    .join(" ");

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

const textOf = ({ markup }: Markup): string =>
  markup
    .replace(/<[^>]*>/g, " ")
    .replace(/&#?\w+;/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, " ")
    .trim();
