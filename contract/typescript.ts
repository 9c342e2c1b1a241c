import type { JsonSchema } from "./json-schema.ts";

/*
 * Schemas as TypeScript. A schema with a `typeName` in `meta` becomes a type of that name, which is declared
 * once. `readonlyFields` beside it makes its fields readonly.
 */

/** The types of a module that is generated. */
export interface TypeWriter {
  /** The type of a schema. `isInput`: of what a request has, so that it takes readonly lists too. */
  typeOf(schema: JsonSchema, isInput: boolean): string;
  /** The declarations of the named types so far, by name. */
  declarations(): string;
}

interface Style {
  readonly isReadonly: boolean;
  /** Whether lists are readonly too. */
  readonly isInput: boolean;
  readonly indent: string;
}

/** `components`: the schemas that `$ref` names. Error: two different schemas have one `typeName`. */
export function createTypeWriter(components: Readonly<Record<string, JsonSchema>>): TypeWriter {
  const declared = new Map<string, string>();
  const comments = new Map<string, string>();

  function typeOf(schema: JsonSchema, style: Style): string {
    const component = componentOf(schema);
    const named = components[component] ?? schema;
    const name = named.typeName ?? (component === "" ? undefined : component);
    if (typeof name !== "string") return inlineType(schema, style);
    if (component !== "") comments.set(name, commentOf(named, ""));
    declare(name, named);
    return `${name}${named.properties !== undefined ? nullOf(named) : ""}`;
  }

  function declare(name: string, schema: JsonSchema): void {
    const before = declared.get(name);
    // A type may refer to itself.
    declared.set(name, before ?? "");
    const style = { isReadonly: schema.readonlyFields === true, isInput: false, indent: "" };
    const type =
      schema.properties === undefined ? inlineType(schema, style) : objectType(schema, style);
    const text = type.startsWith("{")
      ? `export interface ${name} ${type}`
      : `export type ${name} = ${type};`;
    if (before !== undefined && before !== "" && before !== text) {
      throw new Error(`Two schemas have the type name ${name}:\n${before}\n${text}`);
    }
    declared.set(name, text);
  }

  function inlineType(schema: JsonSchema, style: Style): string {
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.enum !== undefined) return unionOf(schema.enum.map((each) => JSON.stringify(each)));
    if (schema.properties !== undefined) return `${objectType(schema, style)}${nullOf(schema)}`;
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) return unionOf(choices.map((each) => typeOf(each, style)));
    const types = [schema.type ?? "unknown"].flat();
    return unionOf(types.map((type) => typeOfKind(type, schema, style)));
  }

  function typeOfKind(type: string, schema: JsonSchema, style: Style): string {
    if (type === "integer") return "number";
    if (type === "array") {
      const item = typeOf(schema.items ?? {}, style);
      return `${style.isInput ? "readonly " : ""}${/[ |]/.test(item) && !item.startsWith("{") ? `(${item})` : item}[]`;
    }
    if (type !== "object") return type;
    const value = schema.additionalProperties;
    return `Record<string, ${typeof value === "object" ? typeOf(value, style) : "unknown"}>`;
  }

  function objectType(schema: JsonSchema, { indent, ...style }: Style): string {
    const { isReadonly } = style;
    const inner = `${indent}  `;
    const modifier = isReadonly ? "readonly " : "";
    const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
      const type = typeOf(field, { ...style, indent: inner });
      const isRequired = schema.required?.includes(name) ?? false;
      const declaration = isRequired ? `${name}: ${type}` : `${name}?: ${type} | undefined`;
      return `${commentOf(field, inner)}${inner}${modifier}${declaration};\n`;
    });
    const patterns = Object.entries(schema.patternProperties ?? {}).map(([pattern, field]) => {
      const key = `\`${pattern.replace("^", "")}\${string}\``;
      return `${inner}${modifier}[pair: ${key}]: ${typeOf(field, { ...style, indent: inner })};\n`;
    });
    const all = [...fields, ...patterns];
    return all.length === 0 ? "Record<never, never>" : `{\n${all.join("")}${indent}}`;
  }

  return {
    typeOf: (schema, isInput) => typeOf(schema, { isReadonly: false, isInput, indent: "    " }),
    declarations: () =>
      [...declared]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, text]) => `${comments.get(name) ?? ""}${text}\n`)
        .join("\n"),
  };
}

const componentOf = ({ $ref = "" }: JsonSchema): string => $ref.slice($ref.lastIndexOf("/") + 1);

/** The end of an object's type: " | null" if the schema allows null, else "". */
const nullOf = ({ type = [] }: JsonSchema): string => (type.includes("null") ? " | null" : "");

const unionOf = (types: readonly string[]): string => [...new Set(types)].join(" | ");

const WIDTH = 100;

/** The description as a comment, in lines of at most 100 characters. "" for none. */
export function commentOf({ description = "" }: JsonSchema, indent: string): string {
  if (description === "") return "";
  const lines: string[] = [""];
  for (const word of description.replaceAll("*/", "*\u200b/").split(/\s+/)) {
    const line = `${lines.at(-1)} ${word}`;
    if (`${indent} *${line}`.length > WIDTH) lines.push(` ${word}`);
    else lines[lines.length - 1] = line;
  }
  const [only] = lines;
  return lines.length === 1 && `${indent}/**${only} */`.length <= WIDTH
    ? `${indent}/**${only} */\n`
    : `${indent}/**\n${lines.map((line) => `${indent} *${line}\n`).join("")}${indent} */\n`;
}
