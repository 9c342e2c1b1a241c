import { Database } from "bun:sqlite";
import { writeSync } from "node:fs";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { parseKey, parseName } from "../../domain/names/name.ts";
import { createUploader } from "../suite/catalog.fixture.ts";
import { createUploads } from "../suite/uploads.fixture.ts";
import { configureForWriting } from "./configure.ts";
import { openConnection } from "./connection.ts";
import { joinFolder, lockFolder } from "./folder-lock.ts";
import { openSqliteCatalog } from "./sqlite-catalog.ts";

/*
 * Another process for the tests: `child.fixture.ts TASK PATH NAME`. It prints a line for each result.
 */

const [task, path = "", name = ""] = process.argv.slice(2);

/** Adds groups of files from many callers at once until it is killed. */
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
 * Adds files from several callers at once until 400 were answered, prints the outcome of each, and
 * kills itself.
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
      // Synchronously, so that outcomes are printed in order.
      writeSync(1, `${outcome} ${folder}/a\n`);
      answered += 1;
    }
  });
  await Promise.all(callers);
  process.kill(process.pid, "SIGKILL");
}

/**
 * Commits batches of 200 files in 20 folders, and saves the progress of an upload, until it is killed.
 * Prints the id of each committed batch and each saved offset.
 */
async function commitForever(): Promise<void> {
  const catalog = await openSqliteCatalog({ path, exclusive: true });
  const uploads = createUploads(catalog);
  const { id } = await uploads.add({ name: parseName("growing") });
  const epoch = await uploads.claim(id);
  process.stdout.write(`${id}\n`);
  const saving = (async () => {
    for (let offset = 1; ; offset += 1) {
      await uploads.save(id, epoch, { offset });
      process.stdout.write(`${offset}\n`);
    }
  })();
  for (let count = 0; ; count += 1) {
    const batch = await uploads.addBatch({ folder: parseKey(`${count}`) });
    const paths = Array.from({ length: 200 }, (_, index) => `${index % 20}/${index}`);
    await uploads.seal(batch, paths);
    await Promise.race([uploads.commit(batch), saving]);
    process.stdout.write(`${batch}\n`);
  }
}

/** Creates 100 folders as a command does, next to a running server. */
async function addSome(): Promise<void> {
  const catalog = await openSqliteCatalog({ path, exclusive: false });
  for (let count = 0; count < 100; count += 1) {
    await catalog.createFolder(COMMAND_EVERYWHERE, parseKey(`${name}/${count}`));
  }
  await catalog.close();
  process.stdout.write("done\n");
}

/** Opens new files one after the other, each at a set time from `name` on. */
async function openTogether(): Promise<void> {
  for (let count = 0; count < 50; count += 1) {
    while (Date.now() < Number(name) + 20 * count) await Bun.sleep(0);
    const connection = openConnection(`${path}/${count}.sqlite`);
    await configureForWriting(connection);
    connection.close();
  }
}

/** Locks the folder until it is killed. */
async function lock(): Promise<void> {
  try {
    lockFolder(path);
    process.stdout.write("locked\n");
    await Bun.sleep(60_000);
  } catch (cause) {
    process.stdout.write(`${cause}\n`);
  }
}

/** Joins the lock of the data folder until it is killed. */
async function join(): Promise<void> {
  joinFolder(path);
  process.stdout.write("joined\n");
  await Bun.sleep(60_000);
}

/** Adds files until a change fails, and prints the outcome of that one and of another after it. */
async function addUntilBroken(): Promise<void> {
  const output: string[] = [];
  const catalog = await openSqliteCatalog({
    path,
    exclusive: name === "server",
    onFatal: ({ message }) => output.push(`fatal: ${message}`),
  });
  const uploader = createUploader(catalog);
  const add = (count: number) => uploader.addOne(`${count}`).then(() => "added", String);
  let outcome = "added";
  for (let count = 0; outcome === "added" && count < 100; count += 1) outcome = await add(count);
  output.push(outcome, await add(100));
  process.stdout.write(JSON.stringify(output), () => process.exit(0));
}

/** Adds files until a change fails, prints which, and kills itself before any other change. */
async function addUntilRefused(): Promise<void> {
  const uploader = createUploader(await openSqliteCatalog({ path, exclusive: true }));
  for (let count = 0; count < 100; count += 1) {
    await uploader.addOne(`${count}`).catch(() => {
      writeSync(1, `${count}`);
      process.kill(process.pid, "SIGKILL");
    });
  }
}

/** Like `addUntilRefused`, with a reader that keeps the log growing. */
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
if (task === "commit forever") await commitForever();
if (task === "add forever") await addForever();
if (task === "add and die") await addAndDie();
if (task === "open together") await openTogether();
if (task === "add some") await addSome();
if (task === "lock") await lock();
if (task === "join") await join();
