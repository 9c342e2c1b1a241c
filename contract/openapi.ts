import { archiveHeaders, archiveResponses } from "./archives.ts";
import { deliveryHeaders, deliveryParameters, deliveryResponses } from "./delivery.ts";
import { type JsonSchema, toJsonSchema } from "./json-schema.ts";
import type { Access, Operation } from "./operation.ts";
import { operations } from "./operations.ts";
import {
  envelope,
  failureHeaders,
  failureResponses,
  failureSchema,
  refer,
  sharedResponses,
} from "./responses.ts";

export const DESCRIPTION = [
  "Holdall stores files in a tree of folders and gives each of them a public hosting URL. Private files are read with credentials or with a signed URL that expires.",
  "Every JSON answer is an envelope of exactly `data` and `error`: one of them is null. Every `GET` can be asked as `HEAD`: the same headers, no body.",
  "`API-Key` carries the key. In a browser the session cookie does as well; unsafe methods are then refused when `Origin` is another site.",
].join("\n\n");

export const TAGS: readonly { name: Operation["tag"]; description: string }[] = [
  { name: "Files", description: "Upload, find, change, sign, download and delete files." },
  { name: "Hosting", description: "The public side: a file at its URL." },
  { name: "Folders", description: "The tree that the files live in." },
  { name: "API keys", description: "The keys that programs call with." },
  { name: "Account", description: "The administrator, who signs in with a browser." },
  { name: "Insight", description: "What has happened, and what there is." },
  { name: "Settings", description: "What may be changed while the service runs." },
  { name: "Service", description: "The service itself." },
];

const SECURITY: Readonly<Record<Access, object[]>> = {
  anyone: [],
  caller: [{ apiKey: [] }, { session: [] }],
  account: [{ session: [] }],
  reader: [{}, { apiKey: [] }, { session: [] }],
};

/** The API as an OpenAPI 3.1 document, generated from `operations`. `version` is the service's. */
export function openApiDocument({ version }: { version: string }): object {
  const schemas = collectSchemas();
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of Object.values<Operation>(operations)) {
    const path = operation.path.replace("*}", "}");
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: describe(operation, schemas.add),
    };
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Holdall",
      version,
      description: DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/", description: "The instance that serves this document." }],
    tags: TAGS,
    paths,
    components: {
      schemas: { ...schemas.named, Failure: failureSchema },
      responses: sharedResponses(),
      parameters: deliveryParameters,
      headers: { ...deliveryHeaders, ...archiveHeaders, ...failureHeaders },
      securitySchemes,
    },
  };
}

const securitySchemes = {
  apiKey: { type: "apiKey", in: "header", name: "API-Key", description: "An API key." },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "holdall_session",
    description:
      "The session of the signed-in administrator; `__Host-holdall_session` under https.",
  },
};

type AddSchema = (...of: Parameters<typeof toJsonSchema>) => JsonSchema;

/** Turns schemas into what the paths say of them, and gathers the named ones on the way. */
function collectSchemas(): { add: AddSchema; named: Record<string, JsonSchema> } {
  const named: Record<string, JsonSchema> = {};
  const add: AddSchema = (...of) => {
    const { schema, named: more } = toJsonSchema(...of);
    Object.assign(named, more);
    return schema;
  };
  return { add, named };
}

function describe(operation: Operation, addSchema: AddSchema): object {
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    security: SECURITY[operation.access],
    parameters: parametersOf(operation),
    ...requestBodyOf(operation, addSchema),
    responses: { ...successOf(operation, addSchema), ...failureResponses(operation) },
  };
}

function parametersOf(operation: Operation): object[] {
  const inPath = Object.entries(operation.parameters ?? {}).map(([name, description]) => ({
    name,
    in: "path",
    required: true,
    description: operation.path.includes(`{${name}*}`)
      ? `${description} It stands for all the segments that follow; the slashes between them stay as they are, which OpenAPI has no way to say.`
      : description,
    schema: { type: "string" },
  }));
  const query = operation.query ? toJsonSchema(operation.query, "input").schema : {};
  const inQuery = Object.entries(query.properties ?? {}).map(([name, schema]) => {
    const { description, ...rest } = schema;
    return {
      name,
      in: "query",
      ...(query.required?.includes(name) ? { required: true } : {}),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
  const inHeader = "file" in operation.answer ? Object.keys(deliveryParameters) : [];
  return [...inPath, ...inQuery, ...inHeader.map((name) => refer("parameters", name))];
}

function requestBodyOf({ body }: Operation, addSchema: AddSchema): object {
  if (body === undefined) return {};
  const content =
    "json" in body
      ? jsonContent(addSchema(body.json, "input"), body.form === true)
      : { "multipart/form-data": { schema: addSchema(body.multipart, "input") } };
  return { requestBody: { required: true, content } };
}

const jsonContent = (schema: JsonSchema, alsoAsForm: boolean): object => ({
  "application/json": { schema },
  ...(alsoAsForm ? { "application/x-www-form-urlencoded": { schema } } : {}),
});

function successOf({ answer }: Operation, addSchema: AddSchema): object {
  if ("file" in answer) return deliveryResponses;
  if ("archive" in answer) return archiveResponses(answer.archive);
  const [type, schema] =
    "document" in answer
      ? [answer.document, { type: "object" }]
      : ["application/json", envelope(addSchema(answer.data, "output"), { type: "null" })];
  return { 200: { description: "Done.", content: { [type]: { schema } } } };
}

/** The document as the text of `openapi.json`. */
export function openApiText(of: { version: string }): string {
  return `${JSON.stringify(openApiDocument(of), null, 2)}\n`;
}
