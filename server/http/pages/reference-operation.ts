import { highlight } from "../../../contract/documents/highlight.ts";
import { failuresOf } from "../../../contract/failures.ts";
import { deliveryHeaders, deliveryParameters } from "../../../contract/file-responses.ts";
import { type JsonSchema, referredName, toJsonSchema } from "../../../contract/json-schema.ts";
import {
  type Access,
  type Headers,
  type Operation,
  type SuccessResponse,
  successStatus,
} from "../../../contract/operation.ts";
import { describePermission } from "../../../contract/permission.ts";
import { documentContent } from "../links/pages/document-content.ts";
import { curlExample } from "./curl-example.ts";
import { fieldsOf, fieldTable, typeOf } from "./fields.ts";
import { html, type Markup, prose } from "./html.ts";

const CALLERS: Readonly<Record<Access, string>> = {
  anyone: "None.",
  caller: "An API key or a session.",
  account: "A session.",
  reader: "None for public files; a signature, an API key or a session for private files.",
  token: "None but the URL, which contains a secret.",
};

/** The section about one operation: what it does, its parameters and response, and examples. */
export function operationSection(operation: Operation): Markup {
  const { id, method, path, summary, description, access, permission, example } = operation;
  return html`<section class="operation" id="${id}" aria-labelledby="${id}-title">
<div class="text">
<h2 id="${id}-title"><a class="anchor" href="#${id}">${summary}</a></h2>
<p class="endpoint"><span class="method ${method.toLowerCase()}">${method}</span> <code>${breakable(path)}</code></p>
${description === undefined ? undefined : html`<p>${prose(description)}</p>`}
<p class="access"><b>Credentials</b> ${CALLERS[access]}</p>
${permissionText(permission)}
${parameterTables(operation)}
${bodyTable(operation)}
${responseFields(operation)}
${failureTable(operation)}
</div>
<div class="samples"><div class="samples tabs">
${sampleBlock("curl", curlExample(operation))}
${sampleBlock("TypeScript", example.sdk)}
</div>
${responseSample(operation.response)}
</div>
</section>
`;
}

function permissionText(permission: Operation["permission"]): Markup | undefined {
  if (permission === "none") return undefined;
  const needs =
    permission === "any key" ? "Every API key may call it." : describePermission(permission);
  return html`<p class="access"><b>Rights</b> ${prose(needs)}</p>`;
}

const LANGUAGES: Readonly<Record<string, string>> = {
  TypeScript: "ts",
  Response: "json",
  "A failure": "json",
  "A signed URL": "text",
};

/** A code block with a title. It is a command for the shell unless the title says something else. */
export function sampleBlock(title: string, code: string): Markup {
  const tokens = documentContent(highlight(code, LANGUAGES[title] ?? "sh"), undefined);
  return html`<figure class="sample" data-language="${title}"><figcaption>${title}</figcaption><pre tabindex="0"><code>${tokens}</code></pre></figure>`;
}

/** A path in which lines may break after the slashes. */
function breakable(path: string): Markup[] {
  const pieces = path.replace("*}", "}").split("/");
  return pieces.map((piece, index) => (index === 0 ? html`${piece}` : html`/<wbr>${piece}`));
}

function parameterTables({
  parameters = {},
  headers = {},
  query,
  response,
}: Operation): (Markup | undefined)[] {
  const inPath = Object.entries(parameters).map(([name, description]) => ({
    name,
    type: "string",
    required: true,
    description,
  }));
  const ofFile = Object.values("file" in response ? deliveryParameters : {}).map(
    ({ name, description }) => ({ name, type: undefined, required: false, description }),
  );
  const inHeader = [...headerRows(headers), ...ofFile];
  return [
    fieldTable("Path parameters", inPath, "marked"),
    fieldTable(
      "Query parameters",
      query ? fieldsOf(toJsonSchema(query, "input").schema) : [],
      "marked",
    ),
    fieldTable("Request headers", inHeader, "marked"),
  ];
}

const headerRows = (headers: Headers) =>
  Object.entries(headers).map(([name, description]) => ({
    name,
    type: undefined,
    required: false,
    description,
  }));

function bodyTable({ body }: Operation): Markup | undefined {
  if (body === undefined) return undefined;
  if ("bytes" in body)
    return html`<p><b>Request body</b> ${prose(`Bytes of the file, as ${body.bytes.map((type) => `\`${type}\``).join(" or ")}.`)}</p>`;
  const [type, schema] =
    "json" in body
      ? [body.form === true ? "JSON or an HTML form" : "JSON", body.json]
      : ["multipart/form-data", body.multipart];
  return fieldTable(
    `Request body: ${type}`,
    fieldsOf(toJsonSchema(schema, "input").schema),
    "marked",
  );
}

function responseFields(operation: Operation): Markup | Markup[] | undefined {
  const { response } = operation;
  const status = successStatus(operation);
  if ("empty" in response) {
    return html`<p><b>Response</b> ${String(status)} without a body.</p>
${fieldTable("Response headers", headerRows(response.headers), "unmarked")}`;
  }
  if ("document" in response)
    return html`<p><b>Response</b> 200 with a document of type <code>${response.document}</code>.</p>`;
  if ("archive" in response)
    return html`<p><b>Response</b> 200 with an archive of type <code>${response.archive}</code>, generated while it is sent. ${prose("`X-Archive-Size` contains its size. If a file in it is deleted meanwhile, the server closes the connection before the end of the archive.")}</p>`;
  if ("file" in response) {
    const headers = Object.entries(deliveryHeaders).map(([name, { description }]) => ({
      name,
      type: undefined,
      required: false,
      description,
    }));
    return html`<p><b>Response</b> 200 with the complete file, 206 with a range, or 304 without a body.</p>
${fieldTable("Response headers", headers, "unmarked")}`;
  }
  const { schema } = toJsonSchema(response.data, "output");
  const shapes = schema.anyOf ?? [schema];
  const fields = shapes.flatMap(fieldsOf);
  if (schema.$ref !== undefined)
    return html`<p><b>Response</b> 200. <code>data</code> is ${typeOf(schema)}.</p>`;
  if (fields.length === 0)
    return html`<p><b>Response</b> 200. <code>data</code> is an empty object.</p>`;
  const title =
    response.events === undefined
      ? "Response 200: data contains"
      : "Response 200: data contains (JSON; with Accept: text/event-stream, each event is one of the changes)";
  return fieldTable(
    shapes.length > 1 ? "Response 200: data contains one of" : title,
    fields,
    "unmarked",
  );
}

function failureTable(operation: Operation): Markup | undefined {
  const failures = failuresOf(operation).filter(
    ({ isSpecific, status }) => isSpecific || [403, 412, 416].includes(status),
  );
  if (failures.length === 0) return undefined;
  return html`<table class="failures"><caption>Errors</caption>
<thead><tr><th scope="col">Status</th><th scope="col">Cause</th></tr></thead>
<tbody>${failures.map(
    ({ status, cause }) => html`
<tr><th scope="row">${status}</th><td>${prose(cause)}</td></tr>`,
  )}
</tbody></table>`;
}

function responseSample(response: SuccessResponse): Markup | undefined {
  if (!("data" in response)) return undefined;
  const { schema, named } = toJsonSchema(response.data, "output");
  const envelope = { data: sampleOf(schema, named), error: null };
  return sampleBlock("Response", JSON.stringify(envelope, null, 2));
}

/** A sample value for a schema, from the examples in it. */
function sampleOf(schema: JsonSchema, named: Readonly<Record<string, JsonSchema>>): unknown {
  const name = referredName(schema);
  if (name !== undefined) return sampleOf(named[name] ?? {}, named);
  if (schema.examples !== undefined) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf !== undefined) return sampleOf(schema.anyOf[0] ?? {}, named);
  if (schema.type === "array") return [sampleOf(schema.items ?? {}, named)];
  if (schema.type === "object") {
    const fields = Object.entries(schema.properties ?? {});
    return Object.fromEntries(fields.map(([field, of]) => [field, sampleOf(of, named)]));
  }
  if (schema.type === "integer" || schema.type === "number") return 1;
  if (schema.type === "boolean") return true;
  return schema.type === "null" ? null : "…";
}
