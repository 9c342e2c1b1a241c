import type { Input, TriedOperation } from "./contract.ts";

/** The values that a reader has entered in a form. */
export interface Entered {
  /** The values of the fields, at least one of each; empty fields are missing. */
  readonly values: ReadonlyMap<Input, readonly (string | File)[]>;
  /** The JSON, or the file of which the bytes are sent. */
  readonly body: string | File | undefined;
  /** null: with the session of the browser. */
  readonly apiKey: string | null;
}

export interface Answer {
  readonly status: string;
  readonly headers: string;
  /** Text, indented if it is JSON; undefined: it is no text. */
  readonly text: string | undefined;
  /** About the body: its type and size, and whether `text` is only its start. */
  readonly note: string;
  readonly milliseconds: number;
}

/** Longer bodies are cut here. */
const MAX_CHARACTERS = 100_000;
const TEXT = /^(?:text\/|application\/(?:json|xml|javascript|.*\+(?:json|xml)))/;

/** The request of a filled form. Error: a header has characters that HTTP does not allow. */
export function requestOf(operation: TriedOperation, entered: Entered, site: URL): Request {
  return new Request(urlOf(operation, entered, site), {
    method: operation.method,
    headers: headersOf(operation, entered),
    body: bodyOf(operation, entered),
    credentials: entered.apiKey === null ? "same-origin" : "omit",
    cache: "no-store",
  });
}

/** Sends the request. Errors: the server cannot be reached. */
export async function send(request: Request): Promise<Answer> {
  const start = performance.now();
  const response = await fetch(request);
  return readAnswer(response, performance.now() - start);
}

function urlOf({ path }: TriedOperation, { values }: Entered, site: URL): URL {
  const texts = new Map(textsAt(values, "path"));
  const filled = path.replace(/\{(\w+)\*?\}/g, (_, name: string) =>
    (texts.get(name) ?? "").split("/").map(encodeURIComponent).join("/"),
  );
  const url = new URL(filled.replace(/^\//, ""), site);
  for (const [name, value] of textsAt(values, "query")) url.searchParams.append(name, value);
  return url;
}

function* textsAt(values: Entered["values"], place: Input["place"]): Generator<[string, string]> {
  for (const [input, each] of values) {
    if (input.place !== place) continue;
    for (const value of each) if (typeof value === "string") yield [input.name, value];
  }
}

function headersOf({ body, bytesType }: TriedOperation, entered: Entered): Headers {
  const headers = new Headers({ Accept: "application/json, */*" });
  if (entered.apiKey !== null) headers.set("API-Key", entered.apiKey);
  if (body === "json") headers.set("Content-Type", "application/json");
  if (body === "bytes" && entered.body instanceof File) {
    const isOpen = bytesType === "application/octet-stream" || bytesType.startsWith("image/");
    headers.set("Content-Type", (isOpen && entered.body.type) || bytesType);
  }
  for (const [name, value] of textsAt(entered.values, "header")) headers.set(name, value);
  return headers;
}

function bodyOf({ body }: TriedOperation, entered: Entered): BodyInit | null {
  if (body === "none") return null;
  if (body !== "form") return entered.body ?? null;
  const form = new FormData();
  for (const [{ place, name }, values] of entered.values) {
    if (place === "form") for (const value of values) form.append(name, value);
  }
  return form;
}

async function readAnswer(response: Response, milliseconds: number): Promise<Answer> {
  const type = response.headers.get("content-type") ?? "";
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
  const status = `${response.status} ${response.statusText}`.trim();
  const about = { status, headers, milliseconds };
  if (!TEXT.test(type)) {
    await response.body?.cancel();
    const length = response.headers.get("content-length");
    const size = length === null ? "" : ` of ${length} bytes`;
    return { ...about, text: undefined, note: type === "" ? "No body." : `${type}${size}` };
  }
  const { text, isWhole } = await readStart(response);
  const note = isWhole ? "" : `The first ${MAX_CHARACTERS} characters.`;
  return { ...about, text: isWhole ? indented(text, type) : text, note };
}

/** The start of the body. The rest is not loaded. */
async function readStart(response: Response): Promise<{ text: string; isWhole: boolean }> {
  const decoder = new TextDecoder();
  let text = "";
  const reader = response.body?.getReader();
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done) return { text: text + decoder.decode(), isWhole: true };
    text += decoder.decode(value, { stream: true });
    if (text.length <= MAX_CHARACTERS) continue;
    await reader?.cancel();
    return { text: text.slice(0, MAX_CHARACTERS), isWhole: false };
  }
}

function indented(text: string, type: string): string {
  if (!type.includes("json")) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
