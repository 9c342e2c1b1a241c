import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { parseKey } from "../../domain/names/name.ts";
import { createUploader } from "../suite/catalog.fixture.ts";
import { openPostgresCatalog } from "./postgres-catalog.ts";

/*
 * Another process for the tests: `child.fixture.ts TASK URL NAME`. It prints a line for each result.
 */

const [task, url = "", name = ""] = process.argv.slice(2);

/** Opens the catalog and prints the number of schema migrations that it ran. */
async function open(): Promise<void> {
  let migrations = 0;
  const catalog = await openPostgresCatalog({ url, log: () => (migrations += 1) });
  await catalog.close();
  console.log(migrations);
}

/** Competes with other processes for the names of files and folders, and prints what it got. */
async function race(): Promise<void> {
  const catalog = await openPostgresCatalog({ url });
  const uploader = createUploader(catalog, name);
  for (let round = 0; round < 40; round += 1) {
    const folder = `races/${round}`;
    const won = await Promise.allSettled([
      uploader.add(["wanted"], { folder }),
      catalog.createFolder(COMMAND_EVERYWHERE, parseKey(`${folder}/wanted`)),
      uploader.add([`${name} ${round}`], { folder }),
    ]);
    for (const [index, outcome] of won.entries()) {
      if (outcome.status === "fulfilled") console.log(`${round} ${index === 2 ? "own" : "wanted"}`);
      else if (!(outcome.reason instanceof Fault && outcome.reason.kind === "conflict")) {
        console.log(`${round} ${outcome.reason}`);
      }
    }
  }
  await catalog.close();
}

/** Adds groups of files from many callers at once until it is killed. */
async function addForever(): Promise<void> {
  const catalog = await openPostgresCatalog({ url });
  const callers = Array.from({ length: 16 }, async (_, caller) => {
    const uploader = createUploader(catalog, `${name} ${caller}`);
    for (let count = 0; ; count += 1) {
      const folder = `${name}/${caller}/${count}`;
      await uploader.add(["a", "b", "c"], { folder });
      process.stdout.write(`${folder}\n`);
    }
  });
  await Promise.all(callers);
}

if (task === "open") await open();
if (task === "race") await race();
if (task === "add forever") await addForever();
