import { Fault } from "../../domain/faults/fault.ts";

/** A header value such as `form-data; name="a"`. */
export interface ParameterizedValue {
  /** The text before the first ";", in lower case. */
  readonly value: string;
  /** By name, in lower case. */
  readonly parameters: ReadonlyMap<string, ParameterValue>;
}

export interface ParameterValue {
  /** Without the quotes, otherwise as sent: escapes are not decoded. */
  readonly raw: string;
  readonly quoted: boolean;
}

const VALUE = /[^;\s"]+/y;
/** The parameter may be empty, as in `a; ; b=c` (RFC 9110, section 5.6.6). */
const SEPARATOR = /[ \t]*;[ \t]*/y;
/** No spaces around "=". An unquoted value may be more than a token, as long as it is unambiguous. */
const PARAMETER = /([!#$%&'*+\-.^_`|~0-9A-Za-z]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s";\\]+))/y;

/**
 * Parses a header value. Fault "invalid": it is malformed or repeats a parameter. `header` is the
 * header's name for the message.
 */
export function parseParameters(header: string, text: string): ParameterizedValue {
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
    const [, nameAsSent = "", quotedValue, unquotedValue = ""] = match;
    const name = nameAsSent.toLowerCase();
    if (parameters.has(name)) {
      throw new Fault("invalid", `The header ${header} has the parameter \`${name}\` twice.`);
    }
    parameters.set(name, { raw: quotedValue ?? unquotedValue, quoted: quotedValue !== undefined });
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
