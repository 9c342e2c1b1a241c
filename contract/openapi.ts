import type { z } from "zod";
import { archiveHeaders, archiveResponses } from "./archives.ts";
import { deliveryHeaders, deliveryParameters, deliveryResponses } from "./file-responses.ts";
import { type JsonSchema, type NamedSchemas, toJsonSchema } from "./json-schema.ts";
import { dryRunData, takesDryRun } from "./objects/dry-run.ts";
import { type Access, type Headers, type Operation, successStatus, type Tag } from "./operation.ts";
import { operations } from "./operations.ts";
import { describePermission } from "./permission.ts";
import {
  envelope,
  failureHeaders,
  failureResponses,
  failureSchema,
  refer,
  sharedResponses,
} from "./responses.ts";
import { shareRepeated } from "./share-repeated.ts";
import { shareSchemas } from "./share-schemas.ts";

export const DESCRIPTION = [
  "Holdall stores files in a tree of folders and gives each file a public hosting URL. Private files require credentials or a signed URL that expires.",
  "Every JSON response is an envelope with exactly the fields `data` and `error`, one of which is null. Every path that supports `GET` also supports `HEAD`, with the same headers and no body.",
  "An unknown field or query parameter gets 400 with the names of the known ones. These operations ignore it instead: `/api/files`, `/api/files/sign`, `/api/files/download/{id}`, `/api/folders`, `/api/hosting` and `/api/health`. In an upload form, a text field whose name resembles a known one gets 400.",
  "Send an API key in the `API-Key` header. In a browser, the session cookie works as well; unsafe methods are then rejected if `Origin` or `Sec-Fetch-Site` names another site, or if both are missing. A member of several spaces names one in the header `Holdall-Space`, or in the query as `space`.",
].join("\n\n");

export const TAGS: readonly { name: Tag; description: string }[] = [
  { name: "Files", description: "Upload, find, change, sign, download and delete files." },
  {
    name: "Resumable uploads",
    description:
      "Upload in several requests that continue after a broken connection (tus 1.0.0), through URLs that need no other credentials, and as batches of files that appear together.",
  },
  { name: "Hosting", description: "Serve files at their public URLs." },
  {
    name: "Links",
    description:
      "Share files and folders with people without an account, and receive files from them.",
  },
  { name: "Folders", description: "Browse, create, change, measure, download and delete folders." },
  {
    name: "Trash and versions",
    description: "Restore deleted files and folders, and replaced content.",
  },
  {
    name: "Webhooks",
    description: "Send changes of files and folders to URLs, as in Standard Webhooks.",
  },
  { name: "API keys", description: "Manage the API keys that programs use." },
  { name: "Account", description: "Manage your own account and sessions." },
  {
    name: "People",
    description: "Accounts of others, invitations, and what members may do where.",
  },
  { name: "Insight", description: "Read the audit log, storage use and traffic." },
  { name: "Settings", description: "Read and change settings while the service runs." },
  { name: "Service", description: "Check health and readiness, and get the API description." },
];

/** The credentials of most operations: those that say nothing else. */
const USUAL_SECURITY = [{ apiKey: [] }, { session: [] }];

/** The credentials of an operation, and the actions that an API key needs. */
function securityOf({ access, permission }: Operation): object {
  const security: Readonly<Record<Exclude<Access, "caller">, object[]>> = {
    anyone: [],
    account: [{ session: [] }],
    reader: [{}, ...USUAL_SECURITY],
    token: [],
  };
  return {
    ...(access === "caller" ? {} : { security: security[access] }),
    ...(typeof permission === "object" ? { "x-key-actions": permission.actions } : {}),
  };
}

/** The description, followed by what an API key needs. */
function descriptionOf({ description, permission }: Operation): string | undefined {
  const needs = typeof permission === "object" ? describePermission(permission) : undefined;
  const paragraphs = [description, needs].filter((text) => text !== undefined);
  return paragraphs.length > 0 ? paragraphs.join("\n\n") : undefined;
}

/** The API as an OpenAPI 3.1 document. `version` is the version of the service. */
export function openApiDocument({ version }: { version: string }): object {
  const schemas = collectSchemas();
  const paths: Record<string, Record<string, Record<string, unknown>>> = {};
  for (const operation of Object.values<Operation>(operations)) {
    const path = operation.path.replace("*}", "}");
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: describe(operation, schemas.add),
    };
  }
  const { parts, schemas: named } = shareSchemas(paths, {
    ...schemas.named,
    Failure: failureSchema,
  });
  const shared = shareRepeated(parts);
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
    security: USUAL_SECURITY,
    paths: shared.paths,
    components: {
      schemas: named,
      responses: usedOnly("responses", shared.paths, {
        ...sharedResponses(Object.values(operations)),
        ...shared.responses,
      }),
      parameters: { ...deliveryParameters, ...shared.parameters },
      requestBodies: shared.requestBodies,
      headers: { ...shared.headers, ...deliveryHeaders, ...archiveHeaders, ...failureHeaders },
      securitySchemes,
    },
  };
}

/** The schemas that the paths, or schemas in use, refer to. */
function usedOnly(
  kind: string,
  paths: unknown,
  components: Readonly<Record<string, unknown>>,
): object {
  const used = new Set<string>();
  const visit = (part: unknown): void => {
    const prefix = `#/components/${kind}/`;
    for (const [reference] of JSON.stringify(part).matchAll(/#\/components\/[\w./-]+/g)) {
      const name = reference.slice(prefix.length);
      if (!reference.startsWith(prefix) || used.has(name)) continue;
      used.add(name);
      visit(components[name]);
    }
  };
  visit(paths);
  return Object.fromEntries(Object.entries(components).filter(([name]) => used.has(name)));
}

const securitySchemes = {
  apiKey: {
    type: "apiKey",
    in: "header",
    name: "API-Key",
    description:
      "An API key. It may be limited to some actions and to a folder; `x-key-actions` of each operation lists the actions that it needs.",
  },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "holdall_session",
    description:
      "The session cookie of the signed-in account; `__Host-holdall_session` with HTTPS.",
  },
};

type AddSchema = (...args: Parameters<typeof toJsonSchema>) => JsonSchema;

/** Converts schemas for use in paths, and collects the named schemas that they refer to. */
function collectSchemas(): { add: AddSchema; named: Record<string, JsonSchema> } {
  const named: Record<string, JsonSchema> = {};
  const add: AddSchema = (...args) => {
    const { schema, named: more } = withoutTrivialExamples(toJsonSchema(...args));
    Object.assign(named, more);
    return schema;
  };
  return { add, named };
}

/** Examples such as `null` or `[]` say nothing that the type does not say. */
function withoutTrivialExamples(schemas: NamedSchemas): NamedSchemas {
  const text = JSON.stringify(schemas, (keyword, value: unknown) =>
    keyword === "examples" && Array.isArray(value) && value.every(isTrivial) ? undefined : value,
  );
  return JSON.parse(text);
}

const isTrivial = (example: unknown): boolean =>
  example === null ||
  typeof example === "boolean" ||
  example === 0 ||
  (Array.isArray(example) && example.length === 0);

function describe(operation: Operation, addSchema: AddSchema): Record<string, unknown> {
  const description = descriptionOf(operation);
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(description === undefined ? {} : { description }),
    ...securityOf(operation),
    ...parametersOf(operation),
    ...requestBodyOf(operation, addSchema),
    responses: { ...successOf(operation, addSchema), ...failureResponses(operation) },
    ...(operation.codes === undefined ? {} : { "x-error-codes": operation.codes }),
  };
}

function parametersOf(operation: Operation): object {
  const inPath = Object.entries(operation.parameters ?? {}).map(([name, description]) => ({
    name,
    in: "path",
    required: true,
    description: operation.path.includes(`{${name}*}`)
      ? `${description} The parameter spans several path segments: do not encode the slashes between them. OpenAPI cannot express this.`
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
  const inHeader = Object.entries(operation.headers ?? {}).map(([name, description]) => ({
    name,
    in: "header",
    description,
    schema: { type: "string" },
  }));
  const shared = "file" in operation.response ? Object.keys(deliveryParameters) : [];
  const references = shared.map((name) => refer("parameters", name));
  const parameters = [...inPath, ...inQuery, ...inHeader, ...references];
  return parameters.length === 0 ? {} : { parameters };
}

function requestBodyOf({ body, ignoresUnknown }: Operation, addSchema: AddSchema): object {
  if (body === undefined) return {};
  if ("multipart" in body) {
    const schema = addSchema(body.multipart, "input");
    return { requestBody: { required: true, content: { "multipart/form-data": { schema } } } };
  }
  if ("bytes" in body) return { requestBody: { content: bytesContent(body.bytes) } };
  const schema = addSchema(body.json, "input");
  const closed = ignoresUnknown === true ? schema : { ...schema, additionalProperties: false };
  const json = jsonContent(closed, body.form === true);
  const requestBody =
    body.tus === true
      ? { content: { ...json, ...bytesContent([TUS_BYTES]) } }
      : { required: true, content: json };
  return { requestBody };
}

/** The media type of bytes in tus. */
const TUS_BYTES = "application/offset+octet-stream";

const bytesContent = (types: readonly string[]): object =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: "string", format: "binary" } }]));

const jsonContent = (schema: JsonSchema, alsoAsForm: boolean): object => ({
  "application/json": { schema },
  ...(alsoAsForm ? { "application/x-www-form-urlencoded": { schema } } : {}),
});

function successOf(operation: Operation, addSchema: AddSchema): object {
  const { response } = operation;
  if ("file" in response) return deliveryResponses;
  if ("archive" in response) return archiveResponses(response.archive);
  const status = successStatus(operation);
  if ("empty" in response) {
    return {
      [status]: { description: "Success, without a body.", ...headersOf(response.headers) },
    };
  }
  const content =
    "document" in response
      ? { [response.document]: { schema: { type: "object" } } }
      : {
          "application/json": {
            schema: envelope(dataSchema(operation, response.data, addSchema), { type: "null" }),
          },
          ...(response.events === undefined ? {} : EVENT_STREAM),
          ...Object.fromEntries(
            (response.tables ?? []).map((type) => [type, { schema: { type: "string" } }]),
          ),
        };
  const headers = "data" in response ? headersOf(response.headers) : {};
  const success = { description: "Success.", ...headers, content };
  const other = "data" in response ? response.alternative : undefined;
  if (other === undefined) return { [status]: success };
  return { [other.status]: { ...success, description: other.meaning }, [status]: success };
}

/** The schema of the response's `data`. */
function dataSchema(operation: Operation, data: z.ZodType, addSchema: AddSchema): JsonSchema {
  const schema = addSchema(data, "output");
  if (!takesDryRun(operation)) return schema;
  return { anyOf: [schema, addSchema(dryRunData, "output")] };
}

const headersOf = (headers: Headers | undefined): object =>
  headers === undefined
    ? {}
    : {
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, description]) => [
            name,
            { description, schema: { type: "string" } },
          ]),
        ),
      };

/** OpenAPI 3.1 cannot describe the events. */
const EVENT_STREAM = {
  "text/event-stream": {
    schema: {
      type: "string",
      description:
        "Server-sent events. The `data` of each is an object as in the JSON response; its `id` is the cursor.",
    },
  },
};

/** The text of `openapi.json`. */
export function openApiText(info: { version: string }): string {
  return `${JSON.stringify(openApiDocument(info))}\n`;
}
