import type { TextSchema } from "./schemas.ts";
import type { Variable } from "./variable.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads variables and collects what is wrong with them. */
export interface EnvironmentReader {
  /** The value of a variable. A wrong value is noted, and the variable counts as not set. */
  read<T>(variable: Variable<T>, schema?: TextSchema<T>): T;
  isSet(variable: Named): boolean;
  /** Notes that the value is wrong for a reason that its own schema does not know. */
  reject(variable: Named, allowed: string): void;
  /** A line for each wrong value. */
  readonly mistakes: readonly string[];
}

type Named = Pick<Variable<unknown>, "name" | "isExact" | "shown">;

/** `names`: the names under which the user has set some of the variables. */
export function createEnvironmentReader(
  env: Environment,
  names: ReadonlyMap<string, string> = new Map(),
): EnvironmentReader {
  const mistakes = new Map<string, string>();

  const textOf = ({ name, isExact }: Named): string | undefined =>
    (isExact === true ? env[name] : env[name]?.trim()) || undefined;

  function reject(variable: Named, allowed: string): void {
    const { name, shown = (text) => `"${text}"` } = variable;
    const text = textOf(variable);
    const given = text === undefined ? "not set" : shown(text);
    const known = names.get(name) ?? name;
    if (!mistakes.has(name)) mistakes.set(name, `${known} is ${given}, but must be ${allowed}.`);
  }

  return {
    read(variable, schema = variable.schema) {
      const text = textOf(variable);
      if (text === undefined) return variable.unset;
      const { data, error } = schema.safeParse(text);
      if (data !== undefined) return data;
      reject(variable, error?.issues[0]?.message ?? "another value");
      return variable.unset;
    },
    isSet: (variable) => textOf(variable) !== undefined,
    reject,
    get mistakes() {
      return [...mistakes.values()];
    },
  };
}
