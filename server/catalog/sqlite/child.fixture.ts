import { Database } from "bun:sqlite";
import { writeSync } from "node:fs";
import { Fault } from "../../rules/fault.ts";
import { parseKey } from "../../rules/name.ts";
import { createUploader } from "../suite/bed.ts";
import { configureForWriting } from "./configure.ts";
import { openConnection } from "./connection.ts";
import { joinFolder, lockFolder } from "./folder-lock.ts";
import { openSqliteCatalog } from "./sqlite-catalog.ts";

/*
 * A process of its own for the tests beside it: `child.fixture.ts TASK PATH NAME`. It prints a
 * line for everything that it has achieved.
 */

const [task, path = "", name = ""] = process.argv.slice(2);

/** Adds pairs of files from many callers at once for as long as it is left alive. */
async function addForever(): Promise<void> {
  const catalog = await openSqliteCatalog({ path, exclusive: true });
  const callers = Array.from({ length: 16 }, async (_, caller) => {
    const uploader = createUploader(catalog, `${caller}`);
    for (let count = 0; ; count += 1) {
      await uploader.add(["a", "b", "c"], { folder: `${caller}/${count}` });
      process.stdout.write(`${caller}/${count}\n`);
    }
  });
  await Promise.all(callers);
}

/**
 * Adds files from several callers at once until 400 were answered, tells what became of each, and
 * dies without warning.
 */
async function addAndDie(): Promise<void> {
  const catalog = await openSqliteCatalog({ path, exclusive: true });
  let answered = 0;
  const callers = Array.from({ length: 4 }, async (_, caller) => {
    const uploader = createUploader(catalog, `${caller}`);
    for (let count = 0; answered < 400; count += 1) {
      const folder = `${caller}/${count}`;
      const outcome = await uploader.addOne("a", { folder }).then(
        () => "added",
        (cause: unknown) => (cause instanceof Fault ? cause.kind : "failed"),
      );
      // At once, or a later answer might be told before this one.
      writeSync(1, `${outcome} ${folder}/a\n`);
      answered += 1;
    }
  });
  await Promise.all(callers);
  process.kill(process.pid, "SIGKILL");
}

/** Creates 100 folders as a command does, beside whoever else has the catalog open. */
async function addSome(): Promise<void> {
  const catalog = await openSqliteCatalog({ path, exclusive: false });
  for (let count = 0; count < 100; count += 1) {
    await catalog.createFolder(parseKey(`${name}/${count}`));
  }
  await catalog.close();
  process.stdout.write("done\n");
}

/** From the moment `name` on, opens one new file after the other, each at a moment of its own. */
async function openTogether(): Promise<void> {
  for (let count = 0; count < 50; count += 1) {
    while (Date.now() < Number(name) + 20 * count) await Bun.sleep(0);
    const connection = openConnection(`${path}/${count}.sqlite`);
    await configureForWriting(connection);
    connection.close();
  }
}

/** Locks the folder and holds it until it is killed. */
async function lock(): Promise<void> {
  try {
    lockFolder(path);
    process.stdout.write("locked\n");
    await Bun.sleep(60_000);
  } catch (cause) {
    process.stdout.write(`${cause}\n`);
  }
}

/** Joins the server that holds the data folder, until it is killed. */
async function join(): Promise<void> {
  joinFolder(path);
  process.stdout.write("joined\n");
  await Bun.sleep(60_000);
}

/** Adds files until a change fails, and says what became of that one and of another after it. */
async function addUntilBroken(): Promise<void> {
  const told: string[] = [];
  const catalog = await openSqliteCatalog({
    path,
    exclusive: name === "server",
    onFatal: ({ message }) => told.push(`fatal: ${message}`),
  });
  const uploader = createUploader(catalog);
  const add = (count: number) => uploader.addOne(`${count}`).then(() => "added", String);
  let outcome = "added";
  for (let count = 0; outcome === "added" && count < 100; count += 1) outcome = await add(count);
  told.push(outcome, await add(100));
  process.stdout.write(JSON.stringify(told), () => process.exit(0));
}

/** Adds files until a change fails, says which, and dies without warning before any other change. */
async function addUntilRefused(): Promise<void> {
  const uploader = createUploader(await openSqliteCatalog({ path, exclusive: true }));
  for (let count = 0; count < 100; count += 1) {
    await uploader.addOne(`${count}`).catch(() => {
      writeSync(1, `${count}`);
      process.kill(process.pid, "SIGKILL");
    });
  }
}

/** As `addUntilRefused`, with a reader that keeps the log growing, and nothing said but the last. */
async function growUntilRefused(): Promise<void> {
  const catalog = await openSqliteCatalog({ path, exclusive: false });
  await catalog.putSetting("before", "");
  const reader = new Database(path);
  reader.run("BEGIN");
  reader.query("SELECT count(*) FROM settings").get();
  for (let count = 0; count < 3000; count += 1) {
    await catalog.putSetting(`${count}`, "x".repeat(20_000)).catch(() => {
      writeSync(1, `${count}`);
      process.kill(process.pid, "SIGKILL");
    });
  }
  reader.close();
}

if (task === "grow until refused") await growUntilRefused();
if (task === "add until refused") await addUntilRefused();
if (task === "add until broken") await addUntilBroken();
if (task === "add forever") await addForever();
if (task === "add and die") await addAndDie();
if (task === "open together") await openTogether();
if (task === "add some") await addSome();
if (task === "lock") await lock();
if (task === "join") await join();
