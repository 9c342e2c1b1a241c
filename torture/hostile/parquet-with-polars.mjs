// Writes or reads a Parquet table with Polars, in a process of its own:
//   parquet-with-polars.mjs PACKAGE write FILE ROWS
//   parquet-with-polars.mjs PACKAGE read URL-OR-FILE FROM TO
// PACKAGE is the folder of nodejs-polars. "read" prints the rows as JSON.
import { join } from "node:path";

const [packageFolder = "", task, source, ...numbers] = process.argv.slice(2);
const { default: polars } = await import(join(packageFolder, "bin", "index.js"));

if (task === "write") {
  const [rows = 0] = numbers.map(Number);
  const ids = Array.from({ length: rows }, (_, at) => at);
  const words = ids.map((id) => `${(id * 7_919) % rows}-${(id * 104_729) % rows}`);
  const columns = [
    polars.Series("id", ids, polars.Int32),
    polars.Series("word", words),
    polars.Series("unread", words.toReversed()),
  ];
  polars.DataFrame(columns).writeParquet(source, { compression: "zstd" });
} else {
  const [from = 0, to = 0] = numbers.map(Number);
  const id = polars.col("id");
  const table = await polars
    .scanParquet(source)
    .filter(id.gtEq(from).and(id.lt(to)))
    .select("id", "word")
    .collect();
  console.log(JSON.stringify(table.toRecords()));
}
