import type { ActivityObject } from "../../../../contract/api.ts";
import type { ActivityRecord } from "../../../domain/activity.ts";
import { textStream } from "../../connection/json-stream.ts";

type Format = "csv" | "ndjson";

/** By media type, without its parameters. */
const FORMATS: ReadonlyMap<string, Format> = new Map([
  ["text/csv", "csv"],
  ["application/x-ndjson", "ndjson"],
]);

/** The table that a client asks for by name, and does not like less than JSON; undefined: none. */
export function tableFormat({ headers }: Request): Format | undefined {
  let best: Format | undefined;
  let bestWeight = 0;
  for (const range of (headers.get("accept") ?? "").toLowerCase().split(",")) {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
    const weight = Number(parameters.find((each) => each.startsWith("q="))?.slice(2) ?? 1);
    const format = FORMATS.get(type);
    if (type === "application/json" ? weight > bestWeight : format && weight > bestWeight) {
      best = format;
      bestWeight = weight;
    }
  }
  return best;
}

interface Source {
  /** Entries older than the one with this id, newest first; none: the end. */
  readonly read: (before: string | undefined) => Promise<readonly ActivityRecord[]>;
  readonly seen: (records: readonly ActivityRecord[]) => ActivityObject[];
}

/** All entries, read as they are sent. */
export function activityTable(format: Format, source: Source): Response {
  const type =
    format === "csv" ? "text/csv; charset=utf-8; header=present" : "application/x-ndjson";
  return new Response(textStream(tableText(format, source)), {
    headers: {
      "Content-Type": type,
      "Content-Disposition": `attachment; filename="activity.${format}"`,
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
    },
  });
}

async function* tableText(format: Format, { read, seen }: Source): AsyncGenerator<string> {
  const textOf =
    format === "csv" ? csvRow : (entry: ActivityObject) => `${JSON.stringify(entry)}\n`;
  if (format === "csv") yield `${Object.keys(COLUMNS).join(",")}\r\n`;
  for (let before: string | undefined; ; ) {
    const records = await read(before);
    const last = records.at(-1);
    if (last === undefined) return;
    yield seen(records).map(textOf).join("");
    before = last.id;
  }
}

const COLUMNS: Readonly<Record<string, (entry: ActivityObject) => string | number | null>> = {
  id: ({ id }) => id,
  at: ({ at }) => at,
  action: ({ action }) => action,
  outcome: ({ outcome }) => outcome,
  status: ({ status }) => status,
  actorKind: ({ actor }) => actor.kind,
  actorId: ({ actor }) => actor.id,
  actorName: ({ actor }) => actor.name,
  address: ({ address }) => address,
  subjectKind: ({ subject }) => subject?.kind ?? null,
  subjectId: ({ subject }) => subject?.id ?? null,
  subjectKey: ({ subject }) => subject?.key ?? null,
  subjectName: ({ subject }) => subject?.name ?? null,
  detail: ({ detail }) => JSON.stringify(detail),
};

const csvRow = (entry: ActivityObject): string =>
  `${Object.values(COLUMNS)
    .map((column) => csvField(String(column(entry) ?? "")))
    .join(",")}\r\n`;

/** What spreadsheets take for a formula, which could send the table elsewhere; the last four are wide characters. */
const FORMULA = "[=+\\-@\\t\\r\uFF1D\uFF0B\uFF0D\uFF20]";
const AT_START = new RegExp(`^(?=${FORMULA})`);
/** In many countries, spreadsheets separate cells by a semicolon, or a tab, whatever the quotes say. */
const AFTER_SEPARATOR = new RegExp(`([;\\t\\r\\n]["\\s]*)(?=${FORMULA})`, "g");

/** RFC 4180, section 2. */
export function csvField(text: string): string {
  const plain = text.replace(AFTER_SEPARATOR, "$1'").replace(AT_START, "'");
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
