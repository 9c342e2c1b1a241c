import { isLost, sqlState } from "./postgres-fault.ts";

/** Why a database cannot be opened, in one line that names it and tells no password. */
export function explainRefusal(cause: unknown, url: string): Error {
  const reason = reasonOf(cause);
  return new Error(`The PostgreSQL database at ${nameOf(url)} ${reason}`, { cause });
}

function reasonOf(cause: unknown): string {
  const said = textOf(cause);
  const code = sqlState(cause);
  if (code.startsWith("28")) return `refuses the user: ${said}.`;
  if (code === "3D000") return `does not exist: ${said}.`;
  if (code === "42501") return `does not let its user create tables: ${said}.`;
  if (isLost(cause) || code === "53300") return `cannot be reached: ${said}.`;
  return `cannot be used. ${said}`;
}

/** Where several addresses were tried, the error has no words of its own. */
function textOf(cause: unknown): string {
  if (cause instanceof AggregateError) return [...new Set(cause.errors.map(textOf))].join(", ");
  return (cause instanceof Error ? cause.message : String(cause)).replace(/\s+/g, " ");
}

function nameOf(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return "DATABASE_URL";
  // A socket's folder is given in this way.
  return `${parsed.searchParams.get("host") ?? parsed.host}${parsed.pathname}`;
}
