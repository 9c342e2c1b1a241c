/** A value that a request may have. */
export interface Input {
  readonly name: string;
  readonly place: "path" | "query" | "header" | "form";
  readonly isRequired: boolean;
  /** The only values; undefined: any text. */
  readonly choices: readonly string[] | undefined;
  /** Files instead of text. */
  readonly isFile: boolean;
  /** Several values, each of which is sent by itself. */
  readonly isList: boolean;
}

/** An operation, as a form needs it. */
export interface TriedOperation {
  readonly method: string;
  /** With `{name}` for each path parameter. */
  readonly path: string;
  readonly inputs: readonly Input[];
  /** "bytes": of a file, of the media type `bytesType`. */
  readonly body: "none" | "json" | "form" | "bytes";
  readonly bytesType: string;
  /** Whether the operation changes or deletes something, or ends what somebody uses. */
  readonly changesExisting: boolean;
  /** Whether the operation is a page that a browser opens, and that sends it to another one. */
  readonly isRedirect: boolean;
}

/** A node of the OpenAPI document. */
interface Node {
  readonly [name: string]: unknown;
}

let loading: Promise<Node> | undefined;

/** Reads an operation from the OpenAPI document of this instance. */
export async function readOperation(id: string, site: URL): Promise<TriedOperation> {
  loading ??= fetch(new URL("openapi.json", site)).then((response) => response.json());
  loading.catch(() => {
    loading = undefined;
  });
  const document = await loading;
  for (const [path, methods] of Object.entries(nodeAt(document, "paths"))) {
    for (const [method, operation] of Object.entries(isNode(methods) ? methods : {})) {
      if (isNode(operation) && operation.operationId === id) {
        return describe(document, path, method.toUpperCase(), operation);
      }
    }
  }
  throw new Error(`The document has no operation ${id}.`);
}

const CHANGES = ["PUT", "DELETE"];
/** Operations that end keys, secrets, codes, sessions or changes, or replace content, although the method is POST. */
const ENDS = /^(?:rotate|reset|renew|signOut|undo|restore|enableSecondFactor)/;

function describe(document: Node, path: string, method: string, operation: Node): TriedOperation {
  const content = nodeAt(resolve(document, operation.requestBody), "content");
  const types = Object.keys(content);
  const [first] = types;
  const body =
    first === undefined
      ? "none"
      : "application/json" in content
        ? "json"
        : "multipart/form-data" in content
          ? "form"
          : "bytes";
  const actions = operation["x-key-actions"];
  return {
    method,
    path,
    inputs: [
      ...list(operation.parameters).map((each) => parameter(document, resolve(document, each))),
      ...(body === "form" ? formFields(document, nodeAt(content, "multipart/form-data")) : []),
    ],
    body,
    bytesType: first ?? "",
    changesExisting:
      CHANGES.includes(method) ||
      (Array.isArray(actions) && actions.includes("delete")) ||
      ENDS.test(String(operation.operationId)),
    isRedirect: "303" in nodeAt(operation, "responses"),
  };
}

const PLACES = ["path", "query", "header"] as const;

function parameter(document: Node, { name, in: place, required, schema }: Node): Input {
  const resolved = resolve(document, schema);
  const isList = resolved.type === "array";
  return {
    name: String(name),
    place: PLACES.find((each) => each === place) ?? "query",
    isRequired: required === true,
    choices: choicesOf(isList ? resolve(document, resolved.items) : resolved),
    isFile: false,
    isList,
  };
}

/** Files come last, because the server needs to know what to do with them. */
function formFields(document: Node, form: Node): Input[] {
  const schema = resolve(document, form.schema);
  const required = list(schema.required);
  const fields = Object.entries(nodeAt(schema, "properties")).map(([name, field]): Input => {
    const resolved = resolve(document, field);
    const isFile = /"binary"|contentMediaType/.test(JSON.stringify(resolved));
    const isRequired = required.includes(name);
    const isList = resolved.type === "array";
    const choices = choicesOf(isList ? resolve(document, resolved.items) : resolved);
    return { name, place: "form", isRequired, choices, isFile, isList };
  });
  return fields.toSorted((one, other) => Number(one.isFile) - Number(other.isFile));
}

function choicesOf({ enum: values, type }: Node): readonly string[] | undefined {
  if (Array.isArray(values)) return values.map(String);
  return type === "boolean" ? ["true", "false"] : undefined;
}

/** The node itself, or the one that it refers to. */
function resolve(document: Node, node: unknown): Node {
  if (!isNode(node)) return {};
  const { $ref } = node;
  if (typeof $ref !== "string") return node;
  return $ref.split("/").slice(1).reduce(nodeAt, document);
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;

function nodeAt(node: Node, name: string): Node {
  const found = node[name];
  return isNode(found) ? found : {};
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
