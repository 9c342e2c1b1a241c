import { isLost, sqlState } from "./postgres-fault.ts";

/** Why a database cannot be opened: one line with its address and without its password. */
export function explainConnectError(cause: unknown, url: string): Error {
  const reason = reasonOf(cause);
  return new Error(`The PostgreSQL database at ${nameOf(url)} ${reason}`, { cause });
}

function reasonOf(cause: unknown): string {
  const message = textOf(cause);
  const code = sqlState(cause);
  if (code.startsWith("28")) return `refuses the user: ${message}.`;
  if (code === "3D000") return `does not exist: ${message}.`;
  if (code === "42501") return `does not let its user create tables: ${message}.`;
  if (isLost(cause) || code === "53300") return `cannot be reached: ${message}.`;
  return `cannot be used. ${message}`;
}

/** An error about several addresses has no message of its own. */
function textOf(cause: unknown): string {
  if (cause instanceof AggregateError) return [...new Set(cause.errors.map(textOf))].join(", ");
  return (cause instanceof Error ? cause.message : String(cause)).replace(/\s+/g, " ");
}

function nameOf(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return "DATABASE_URL";
  // The folder of a Unix socket.
  return `${parsed.searchParams.get("host") ?? parsed.host}${parsed.pathname}`;
}
