import { type JsonSchema, referredName } from "../../../contract/json-schema.ts";
import { type Content, html, type Markup, prose } from "./html.ts";
import { objectAnchor } from "./reference-topics.ts";

export interface Field {
  readonly name: string;
  /** undefined: not shown. */
  readonly type: Content;
  readonly required: boolean;
  readonly description: string;
}

/** The fields of an object's schema, in their order. */
export function fieldsOf({ properties = {}, required = [] }: JsonSchema): Field[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    type: typeOf(schema),
    required: required.includes(name),
    description: descriptionOf(schema),
  }));
}

/** A table of fields without empty columns, or undefined without fields. `requiredFields` decides whether to mark them. */
export function fieldTable(
  caption: string,
  fields: readonly Field[],
  requiredFields: "marked" | "unmarked",
): Markup | undefined {
  if (fields.length === 0) return undefined;
  const hasTypes = fields.some(({ type }) => type !== undefined);
  const hasDescriptions = fields.some(({ description }) => description !== "");
  const row = ({ name, type, required, description }: Field): Markup => html`
<tr><th scope="row"><code>${name}</code>${
    requiredFields === "marked" && required
      ? html` <span class="required">required</span>`
      : undefined
  }</th>${hasTypes ? html`<td class="type">${type}</td>` : undefined}${
    hasDescriptions ? html`<td>${prose(description)}</td>` : undefined
  }</tr>`;
  return html`<table class="fields"><caption>${caption}</caption>
<thead><tr><th scope="col">Name</th>${hasTypes ? html`<th scope="col">Type</th>` : undefined}${
    hasDescriptions ? html`<th scope="col">Description</th>` : undefined
  }</tr></thead>
<tbody>${fields.map(row)}
</tbody></table>`;
}

/** A link from a page of the reference to the description of a named object. */
const objectLink = (name: string): Markup =>
  html`<a href="objects#${objectAnchor(name)}">${name}</a>`;

/** The name of a schema's type. */
export function typeOf(schema: JsonSchema): Content {
  const name = referredName(schema);
  if (name !== undefined) return objectLink(name);
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum !== undefined)
    return or(schema.enum.map((value) => html`<code>${String(value)}</code>`));
  if (schema.anyOf !== undefined) return or(schema.anyOf.map(typeOf));
  if (schema.type === "array") return ["list of ", typeOf(schema.items ?? {})];
  if (schema.format === "binary") return "file";
  if (schema.type === "object" && schema.properties !== undefined) {
    return html`<code>{ ${Object.keys(schema.properties).join(", ")} }</code>`;
  }
  return typeof schema.type === "string" ? schema.type : or(schema.type ?? ["anything"]);
}

const or = (choices: readonly Content[]): Content =>
  choices.map((choice, index) => [index === 0 ? undefined : " or ", choice]);

function descriptionOf(schema: JsonSchema): string {
  return [schema.description, boundsOf(schema)].filter(Boolean).join(" ");
}

function boundsOf({ minLength, maxLength }: JsonSchema): string | undefined {
  if (minLength !== undefined && maxLength !== undefined) {
    return `${minLength} to ${maxLength} characters.`;
  }
  return maxLength === undefined ? undefined : `At most ${maxLength} characters.`;
}
