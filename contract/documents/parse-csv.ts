/**
 * Parses comma-separated values as in RFC 4180, also with other delimiters. Quoted cells may contain
 * delimiters and line breaks; a quote within an unquoted cell stays.
 */
export function parseCsv(text: string, delimiter: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  const endRow = () => {
    rows.push(row);
    row = [];
  };
  while (at < text.length) {
    const [cell, end] = text[at] === '"' ? readQuoted(text, at) : ["", at];
    const stop = nextBreak(text, end, delimiter);
    row.push(cell + text.slice(end, stop));
    at = stop;
    if (text[at] === delimiter) {
      at += 1;
      // After the last delimiter comes an empty cell.
      if (at === text.length) row.push("");
      continue;
    }
    at += text[at] === "\r" && text[at + 1] === "\n" ? 2 : 1;
    endRow();
  }
  if (row.length > 0) endRow();
  return rows;
}

/** A quoted cell from its opening quote, and the position after its closing quote. */
function readQuoted(text: string, from: number): [string, number] {
  let cell = "";
  let at = from + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return [cell + text.slice(at), text.length];
    cell += text.slice(at, quote);
    if (text[quote + 1] !== '"') return [cell, quote + 1];
    cell += '"';
    at = quote + 2;
  }
}

function nextBreak(text: string, from: number, delimiter: string): number {
  let at = from;
  while (at < text.length && text[at] !== delimiter && text[at] !== "\n" && text[at] !== "\r") {
    at += 1;
  }
  return at;
}

const DELIMITERS = [",", ";", "\t", "|"];
const SAMPLE_CHARACTERS = 8_000;

/** The delimiter that gives the most columns, of the same number in most rows. */
export function findDelimiter(text: string): string {
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  let best = { delimiter: ",", score: 0 };
  for (const delimiter of DELIMITERS) {
    const rows = parseCsv(sample, delimiter);
    const columns = rows[0]?.length ?? 0;
    const regular = rows.filter((row) => row.length === columns).length / Math.max(1, rows.length);
    const score = (columns - 1) * regular;
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}
