import { deliveryHeaders, deliveryParameters } from "../../../contract/delivery.ts";
import { failuresOf } from "../../../contract/failures.ts";
import { toJsonSchema } from "../../../contract/json-schema.ts";
import type { Access, Answer, Operation } from "../../../contract/operation.ts";
import type { Example } from "./examples.ts";
import { fieldsOf, fieldTable, typeOf } from "./fields.ts";
import { html, type Markup, prose } from "./html.ts";
import { sampleOf } from "./sample.ts";

const CALLERS: Readonly<Record<Access, string>> = {
  anyone: "Anyone, without credentials.",
  caller: "An API key, or a session.",
  account: "A session only.",
  reader: "Anyone for a public file; a signature, an API key or a session for a private one.",
};

/** One operation: what it does, what goes in and out, and how to call it. */
export function operationSection(operation: Operation, example: Example): Markup {
  const { id, method, path, summary, description, access } = operation;
  return html`<section class="operation" id="${id}" aria-labelledby="${id}-title">
<div class="told">
<h3 id="${id}-title"><a class="anchor" href="#${id}">${summary}</a></h3>
<p class="endpoint"><span class="method ${method.toLowerCase()}">${method}</span> <code>${breakable(path)}</code></p>
${description === undefined ? undefined : html`<p>${prose(description)}</p>`}
<p class="access"><b>Who may call</b> ${CALLERS[access]}</p>
${parameterTables(operation)}
${bodyTable(operation)}
${answerOf(operation.answer)}
${failureTable(operation)}
</div>
<div class="shown">
${sampleBlock("curl", example.curl)}
${example.sdk === undefined ? undefined : sampleBlock("TypeScript", example.sdk)}
${answerSample(operation.answer)}
</div>
</section>
`;
}

/** A titled block of code. */
export function sampleBlock(title: string, code: string): Markup {
  return html`<figure><figcaption>${title}</figcaption><pre tabindex="0"><code>${code}</code></pre></figure>`;
}

/** A path that may be broken after its slashes. */
function breakable(path: string): Markup[] {
  const pieces = path.replace("*}", "}").split("/");
  return pieces.map((piece, index) => (index === 0 ? html`${piece}` : html`/<wbr>${piece}`));
}

function parameterTables({ parameters = {}, query, answer }: Operation): (Markup | undefined)[] {
  const inPath = Object.entries(parameters).map(([name, description]) => ({
    name,
    type: "string",
    required: true,
    description,
  }));
  const inHeader = Object.values("file" in answer ? deliveryParameters : {}).map(
    ({ name, description }) => ({ name, type: undefined, required: false, description }),
  );
  return [
    fieldTable("In the path", inPath, "marked"),
    fieldTable(
      "In the query",
      query ? fieldsOf(toJsonSchema(query, "input").schema) : [],
      "marked",
    ),
    fieldTable("Request headers", inHeader, "marked"),
  ];
}

function bodyTable({ body }: Operation): Markup | undefined {
  if (body === undefined) return undefined;
  const [type, schema] =
    "json" in body
      ? [body.form === true ? "JSON or a form" : "JSON", body.json]
      : ["multipart/form-data", body.multipart];
  return fieldTable(`Body, as ${type}`, fieldsOf(toJsonSchema(schema, "input").schema), "marked");
}

function answerOf(answer: Answer): Markup | undefined {
  if ("document" in answer)
    return html`<p><b>Answer</b> 200, a document of type <code>${answer.document}</code>.</p>`;
  if ("archive" in answer)
    return html`<p><b>Answer</b> 200, an archive of type <code>${answer.archive}</code>, made while it is sent. ${prose("`X-Archive-Size` tells its size beforehand. When a file in it is deleted meanwhile, the connection breaks.")}</p>`;
  if ("file" in answer) {
    const headers = Object.entries(deliveryHeaders).map(([name, { description }]) => ({
      name,
      type: undefined,
      required: false,
      description,
    }));
    return html`<p><b>Answer</b> 200 with the complete file, 206 with a range of it, or 304 without a body.</p>
${fieldTable("Answer headers", headers, "unmarked")}`;
  }
  const { schema } = toJsonSchema(answer.data, "output");
  const shapes = schema.anyOf ?? [schema];
  const fields = shapes.flatMap(fieldsOf);
  if (schema.$ref !== undefined)
    return html`<p><b>Answer</b> 200, <code>data</code> is ${typeOf(schema)}.</p>`;
  if (fields.length === 0)
    return html`<p><b>Answer</b> 200, <code>data</code> is an empty object.</p>`;
  return fieldTable(
    shapes.length > 1 ? "Answer 200, one of these in data" : "Answer 200, in data",
    fields,
    "unmarked",
  );
}

function failureTable(operation: Operation): Markup | undefined {
  const failures = failuresOf(operation).filter(
    ({ own, status }) => own || status === 412 || status === 416,
  );
  if (failures.length === 0) return undefined;
  return html`<table class="failures"><caption>Failures</caption>
<thead><tr><th scope="col">Status</th><th scope="col">When</th></tr></thead>
<tbody>${failures.map(
    ({ status, when }) => html`
<tr><th scope="row">${status}</th><td>${prose(when)}</td></tr>`,
  )}
</tbody></table>`;
}

function answerSample(answer: Answer): Markup | undefined {
  if (!("data" in answer)) return undefined;
  const { schema, named } = toJsonSchema(answer.data, "output");
  const envelope = { data: sampleOf(schema, named), error: null };
  return sampleBlock("Answer", JSON.stringify(envelope, null, 2));
}
