import { readKey } from "../session.ts";
import { type Input, readOperation, type TriedOperation } from "./contract.ts";
import { element } from "./element.ts";
import { type Answer, type Entered, requestOf, send } from "./send.ts";

export interface TryFormOptions {
  /** The id of the operation. */
  readonly id: string;
  readonly site: URL;
  /** The JSON of the example. */
  readonly body: string | undefined;
}

type Field = HTMLInputElement | HTMLSelectElement;

/** A form that sends an operation to this instance, and shows the response. */
export async function createTryForm({ id, site, body }: TryFormOptions): Promise<HTMLElement> {
  const operation = await readOperation(id, site);
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
    if (operation.isDestructive && !(await isConfirmed(form, request))) return;
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

function fieldOf({ choices, isFile, isRequired, place }: Input): Field {
  if (choices !== undefined) {
    const options = ["", ...choices].map((choice) => element("option", {}, choice));
    return element("select", { required: isRequired }, ...options);
  }
  if (isFile) return element("input", { type: "file", multiple: true, required: isRequired });
  // Without a value, the path would be another one.
  const required = isRequired || place === "path";
  return element("input", { type: "text", required, spellcheck: "false", autocomplete: "off" });
}

const row = ({ name, isRequired, place }: Input, field: Field): HTMLElement =>
  element(
    "label",
    {},
    element("code", {}, name),
    ...(isRequired || place === "path" ? [element("span", {}, "required")] : []),
    field,
  );

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
  const values = new Map<Input, string | readonly File[]>();
  for (const [input, field] of fields) {
    if (input.isFile) values.set(input, filesOf(field));
    else if (field.value !== "") values.set(input, field.value);
  }
  const body = bodyField?.type === "file" ? filesOf(bodyField)[0] : bodyField?.value;
  return { values, body, apiKey };
}

const filesOf = (field: Field | HTMLTextAreaElement): readonly File[] =>
  field instanceof HTMLInputElement ? [...(field.files ?? [])] : [];

/** Asks before something is deleted or ended. */
function isConfirmed(form: HTMLElement, { method, url }: Request): Promise<boolean> {
  const { pathname, search } = new URL(url);
  const title = element("h3", {}, "Send it to this instance?");
  title.id = "try-question";
  const dialog = element(
    "dialog",
    { class: "try-dialog", "aria-labelledby": title.id },
    title,
    element("p", {}, "This deletes or ends something here, not in an example."),
    element("p", {}, element("code", {}, `${method} ${pathname}${search}`)),
    element(
      "form",
      { method: "dialog" },
      element("button", { value: "" }, "Cancel"),
      element("button", { value: "send", class: "bad" }, `Send ${method}`),
    ),
  );
  form.after(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "send");
    });
  });
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

/** A block of text that can be scrolled by keyboard. */
const block = (label: string, text: string): HTMLElement =>
  element("pre", { tabindex: "0", role: "region", "aria-label": label }, element("code", {}, text));
