import { S3Fault } from "../../domain/faults/s3-fault.ts";

/** The parameters of an S3 request's query. */
export interface S3Query {
  has(name: string): boolean;
  /** undefined: the parameter is absent. Without `=` it is empty. */
  get(name: string): string | undefined;
  /** A decimal number of at most `max`. undefined: absent. S3Fault "InvalidArgument": anything else. */
  number(name: string, max: number): number | undefined;
  readonly names: readonly string[];
}

/** S3Fault "InvalidArgument": a parameter is not percent-encoded UTF-8, or is given twice. */
export function readS3Query(query: string): S3Query {
  const values = new Map<string, string>();
  for (const pair of query === "" ? [] : query.split("&")) {
    const equals = pair.indexOf("=");
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    if (name === "") continue;
    if (values.has(name)) {
      throw new S3Fault("InvalidArgument", `The parameter ${name} is given more than once.`);
    }
    values.set(name, equals < 0 ? "" : decode(pair.slice(equals + 1)));
  }
  return {
    has: (name) => values.has(name),
    get: (name) => values.get(name),
    number(name, max) {
      const text = values.get(name);
      if (text === undefined || text === "") return undefined;
      if (!/^\d{1,10}$/.test(text) || Number(text) > 2 ** 31 - 1) {
        throw new S3Fault("InvalidArgument", `${name} must be a whole number from 0 to ${max}.`, {
          fields: { ArgumentName: name, ArgumentValue: text },
        });
      }
      return Math.min(Number(text), max);
    },
    names: [...values.keys()],
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch (cause) {
    throw new S3Fault("InvalidArgument", "The query must be percent-encoded UTF-8.", { cause });
  }
}
