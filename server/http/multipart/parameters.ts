import { Fault } from "../../rules/fault.ts";

/** A header value such as `form-data; name="a"`. */
export interface Parameterised {
  /** What comes before the first ";", in lower case. */
  readonly value: string;
  /** By name in lower case. Quotes are off; see `quoted` for what was inside them. */
  readonly parameters: ReadonlyMap<string, ParameterValue>;
}

export interface ParameterValue {
  /** Without the quotes, and otherwise as sent: nothing is unescaped. */
  readonly raw: string;
  readonly quoted: boolean;
}

const VALUE = /[^;\s"]+/y;
/** The parameter may be empty, as in `a; ; b=c` (RFC 9110, section 5.6.6). */
const SEPARATOR = /[ \t]*;[ \t]*/y;
/** No blanks around "=". What stands without quotes may be more than a token, but never unclear. */
const PARAMETER = /([!#$%&'*+\-.^_`|~0-9A-Za-z]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s";\\]+))/y;

/**
 * Takes a header value apart. Fault "invalid": it has another form, or a parameter comes twice;
 * `header` is the name to blame.
 */
export function parseParameters(header: string, text: string): Parameterised {
  let position = 0;
  function take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = position;
    const match = pattern.exec(text);
    if (match !== null) position = pattern.lastIndex;
    return match;
  }

  const parameters = new Map<string, ParameterValue>();
  const value = take(VALUE)?.[0].toLowerCase();
  if (value === undefined) throw malformed(header);
  while (take(SEPARATOR) !== null) {
    const match = take(PARAMETER);
    if (match === null) continue;
    const [, spelling = "", inQuotes, bare = ""] = match;
    const name = spelling.toLowerCase();
    if (parameters.has(name)) {
      throw new Fault("invalid", `The header ${header} has the parameter \`${name}\` twice.`);
    }
    parameters.set(name, { raw: inQuotes ?? bare, quoted: inQuotes !== undefined });
  }
  if (text.slice(position).trim() !== "") throw malformed(header);
  return { value, parameters };
}

function malformed(header: string): Fault {
  return new Fault(
    "invalid",
    `The header ${header} is malformed. It should look like \`value; name="text"\`.`,
  );
}
