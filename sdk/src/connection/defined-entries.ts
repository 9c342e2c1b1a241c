/** Values by name, such as headers, of which some may be missing. */
export type SomeValues = Readonly<Record<string, string | undefined>>;

/** The names that have a value, with it. */
export const definedEntries = (values: SomeValues): [name: string, value: string][] =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
