import type { CurlVariant } from "../../../contract/example.ts";
import type { Access, Operation } from "../../../contract/operation.ts";

const CREDENTIALS: Readonly<Record<Access, readonly string[]>> = {
  anyone: [],
  caller: ['-H "API-Key: $HOLDALL_KEY"'],
  account: ["-b session.txt"],
  reader: [],
  token: [],
};

/** The example request as curl commands for a shell in which HOLDALL_URL and HOLDALL_KEY are set. */
export function curlExample(operation: Operation): string {
  const { curl = [{ options: [] }] } = operation.example;
  return curl.map((variant) => command(operation, variant)).join("\n\n");
}

function command(operation: Operation, { title, options, withoutBody }: CurlVariant): string {
  const { access, method, body } = operation;
  // curl sends POST by itself with the fields of a form.
  const isForm = body !== undefined && "multipart" in body;
  const start = method === "HEAD" ? "curl -I" : `curl -X ${method}`;
  const lines = [
    `${method === "GET" || isForm ? "curl" : start} "$HOLDALL_URL${pathOf(operation)}"`,
    ...CREDENTIALS[access],
    // Without it, a cookie may change nothing: see `mayUseCookies`.
    ...(access === "account" && method !== "GET" ? ["-H 'Sec-Fetch-Site: same-origin'"] : []),
    ...bodyOptions(withoutBody === true ? undefined : operation.example.body),
    ...options,
  ];
  return `${title === undefined ? "" : `# ${title}:\n`}${lines.join(" \\\n  ")}`;
}

function pathOf({ path, example: { parameters = {}, query = {} } }: Operation): string {
  const filled = path.replace(/\{(\w+)\*?\}/g, (_, name: string) => parameters[name] ?? name);
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return pairs.length === 0 ? filled : `${filled}?${pairs.join("&")}`;
}

function bodyOptions(body: object | undefined): readonly string[] {
  if (body === undefined) return [];
  return ["-H 'Content-Type: application/json'", `-d '${bodyText(body)}'`];
}

/** On one line when it is short. */
function bodyText(body: object): string {
  return Object.keys(body).length === 1 && JSON.stringify(body).length < 50
    ? JSON.stringify(body)
    : JSON.stringify(body, null, 2).replaceAll("\n", "\n  ");
}
