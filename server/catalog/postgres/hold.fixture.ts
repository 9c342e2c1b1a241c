import { Client } from "pg";

/** Begins a transaction that locks what the query says until it is told to end, so that others wait in order. */
export async function hold(
  url: string,
  query: string,
  values: unknown[] = [],
): Promise<() => Promise<void>> {
  const holder = new Client({ connectionString: url });
  await holder.connect();
  await holder.query("begin");
  await holder.query(query, values);
  return async () => {
    await holder.query("commit");
    await holder.end();
  };
}

/** Holds the row of the folder with this key. */
export const holdFolder = (url: string, key: string): Promise<() => Promise<void>> =>
  hold(url, "select id from folders where key = $1 for update", [key]);
