import { readKey } from "../session.ts";
import { changesExisting, isConfirmed } from "./confirm.ts";
import { type Input, readOperation, type TriedOperation } from "./contract.ts";
import { block, element } from "./element.ts";
import { type Field, fieldOf, filesOf, row, valuesOf } from "./fields.ts";
import { describeRedirect } from "./redirect.ts";
import { type Answer, type Entered, requestOf, send } from "./send.ts";

export interface TryFormOptions {
  /** The id of the operation. */
  readonly id: string;
  readonly site: URL;
  /** The JSON of the example. */
  readonly body: string | undefined;
}

/** A form that sends an operation to this instance, and shows the response; for pages that redirect, their address. */
export async function createTryForm({ id, site, body }: TryFormOptions): Promise<HTMLElement> {
  const operation = await readOperation(id, site);
  if (operation.isRedirect) return describeRedirect(operation, site);
  const fields = new Map(operation.inputs.map((input) => [input, fieldOf(input)]));
  const bodyField = bodyFieldOf(operation, body);
  const caller = callerField();
  const button = element("button", { type: "submit" }, `Send ${operation.method}`);
  // Screen readers read the state by themselves, and the response on demand.
  const state = element("p", { role: "status" });
  const response = element("div");
  // A disabled button would lose the focus.
  let isSending = false;
  const rows = (isShown: (input: Input) => boolean) =>
    [...fields].filter(([input]) => isShown(input)).map(([input, field]) => row(input, field));
  const headers = rows(({ place }) => place === "header");
  const form = element(
    "form",
    {},
    ...rows(({ place }) => place !== "header"),
    ...(headers.length === 0
      ? []
      : [element("details", {}, element("summary", {}, "Request headers"), ...headers)]),
    ...(bodyField === undefined
      ? []
      : [element("label", { class: "body" }, element("span", {}, "Body"), bodyField)]),
    element("div", { class: "send" }, caller, button),
    state,
    response,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isSending) return;
    const apiKey = readKey();
    if (caller.value === "key" && apiKey === null) {
      return state.replaceChildren("The key of the examples has ended. Reload the page.");
    }
    const entered = read(fields, bodyField, caller.value === "key" ? apiKey : null);
    let request: Request;
    try {
      request = requestOf(operation, entered, site);
    } catch (error) {
      return state.replaceChildren(
        `This cannot be sent. ${error instanceof Error ? error.message : ""}`,
      );
    }
    if (changesExisting(operation, entered) && !(await isConfirmed(form, request))) return;
    isSending = true;
    state.replaceChildren("Sending…");
    response.replaceChildren();
    try {
      const answer = await send(request);
      state.replaceChildren(...headOf(answer));
      response.replaceChildren(...partsOf(answer));
    } catch {
      state.replaceChildren("The server cannot be reached.");
    } finally {
      isSending = false;
    }
  });
  return form;
}

function bodyFieldOf(
  { body }: TriedOperation,
  example: string | undefined,
): HTMLTextAreaElement | HTMLInputElement | undefined {
  if (body === "bytes") return element("input", { type: "file" });
  if (body !== "json") return undefined;
  const text = example ?? "{}";
  const lines = Math.min(16, text.split("\n").length + 1);
  return element("textarea", { rows: String(lines), spellcheck: "false" }, text);
}

/** A choice of the credentials of the request. The key that the examples show appears once the reader has made one. */
function callerField(): HTMLSelectElement {
  const session = element("option", { value: "" }, "With your session");
  const field = element("select", { "aria-label": "Credentials" }, session);
  const addKey = (): void => {
    if (field.length > 1 || readKey() === null) return;
    field.append(element("option", { value: "key" }, "With the key of the examples"));
  };
  addKey();
  field.addEventListener("pointerdown", addKey);
  field.addEventListener("focus", addKey);
  return field;
}

function read(
  fields: ReadonlyMap<Input, Field>,
  bodyField: HTMLTextAreaElement | HTMLInputElement | undefined,
  apiKey: string | null,
): Entered {
  const values = new Map(
    [...fields].flatMap(([input, field]) => {
      const entered = valuesOf(input, field);
      return entered.length === 0 ? [] : [[input, entered] as const];
    }),
  );
  const body = bodyField?.type === "file" ? filesOf(bodyField)[0] : bodyField?.value;
  return { values, body, apiKey };
}

const headOf = ({ status, milliseconds }: Answer): readonly (Node | string)[] => [
  element("b", { class: /^[23]/.test(status) ? "good" : "bad" }, status),
  ` · ${Math.round(milliseconds)} ms`,
];

function partsOf({ headers, text, note }: Answer): readonly Node[] {
  const fold = element("details", {}, element("summary", {}, "Response headers"));
  fold.append(block("Response headers", headers));
  return [
    fold,
    ...(text === undefined || text === "" ? [] : [block("Response body", text)]),
    ...(note === "" ? [] : [element("p", {}, note)]),
  ];
}
