// Makes a table, or reads one, in a process of its own:
//   polars.mjs PACKAGE make FILE ROWS
//   polars.mjs PACKAGE read ADDRESS-OR-FILE FROM TO
// PACKAGE is the folder of nodejs-polars. What was read goes to the standard output, as JSON.
import { join } from "node:path";

const [home = "", task, place, ...numbers] = process.argv.slice(2);
const { default: polars } = await import(join(home, "bin", "index.js"));
const [first = 0, last = 0] = numbers.map(Number);

if (task === "make") {
  const ids = Array.from({ length: first }, (_, at) => at);
  const words = ids.map((id) => `${(id * 7_919) % first}-${(id * 104_729) % first}`);
  const columns = [
    polars.Series("id", ids, polars.Int32),
    polars.Series("word", words),
    polars.Series("unread", words.toReversed()),
  ];
  polars.DataFrame(columns).writeParquet(place, { compression: "zstd" });
} else {
  const id = polars.col("id");
  const table = await polars
    .scanParquet(place)
    .filter(id.gtEq(first).and(id.lt(last)))
    .select("id", "word")
    .collect();
  console.log(JSON.stringify(table.toRecords()));
}
