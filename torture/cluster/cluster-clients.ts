import { api } from "../../test/client.ts";
import { field, filePart } from "../../test/multipart.ts";
import { bytesOf, type Content, isContent, isPartOf, newContent } from "../content.ts";
import { compare } from "../inventory.ts";
import { chance, pickAny, pickOne, randomInt } from "../random.ts";
import { createWriter, type Writer } from "../writers/writer.ts";
import type { Instance } from "./instance.ts";
import { readFolderInventory } from "./read-folder-inventory.ts";

/** Many writers and readers. Each switches to another instance when one does not respond. */
export interface ClusterClients {
  /** Resolves when all clients have finished after `end`. */
  run(): Promise<void>;
  /** Every client finishes its current request and resolves its outcome. */
  end(): void;
  readonly lost: readonly string[];
  readonly problems: readonly string[];
  /** Acknowledged changes, correct reads, and requests that had to be retried. */
  readonly counts: { changes: number; reads: number; retries: number };
  /**
   * Checks that an instance has everything that was acknowledged. Call it after `run` has resolved.
   */
  audit(instance: Instance): Promise<void>;
}

export interface ClusterClientsOptions {
  readonly instances: readonly Instance[];
  readonly writers: number;
  readonly readers: number;
  /** Outages of the stores that the instances share. */
  readonly outage: Outage;
}

/** A request during an outage may get any error. */
export interface Outage {
  readonly isActive: boolean;
  /** How often an outage has started or ended. */
  readonly transitions: number;
}

export const NO_OUTAGE: Outage = { isActive: false, transitions: 0 };

/** A writer switches to another instance after this many changes. */
const CHANGES_PER_INSTANCE = 15;
/** By then the database has finished what a killed instance sent, in milliseconds. */
const COMMIT_GRACE_MS = 1000;
/** Timeout for resolving the outcome of a change. */
const RETRY_TIMEOUT_MS = 60_000;
/** Readers share this many files and read them again and again. */
const MAX_SHARED_FILES = 200;
const MAX_REPORTED = 20;

export function createClusterClients(options: ClusterClientsOptions): ClusterClients {
  const { instances, outage } = options;
  const lost: string[] = [];
  const problems: string[] = [];
  const counts = { changes: 0, reads: 0, retries: 0 };
  const sharedFiles = new Map<string, Content>();
  let isOver = false;

  const onProblem = (problem: string): void => {
    if (problems.length < MAX_REPORTED) problems.push(problem);
  };

  /** A random instance that is serving. */
  async function anyInstance(other?: Instance): Promise<Instance> {
    for (;;) {
      const serving = instances.filter((instance) => instance.isServing && instance !== other);
      const found = pickAny(serving);
      if (found !== undefined) return found;
      await Bun.sleep(20);
    }
  }

  /** The returned function tells whether the instance or its stores had a fault since this call. */
  function watchForFaults(instance: Instance): () => boolean {
    const { faultCount } = instance;
    const { isActive, transitions } = outage;
    return () =>
      isActive || outage.transitions !== transitions || instance.faultCount !== faultCount;
  }

  async function write(writer: Writer): Promise<void> {
    while (!isOver) {
      const instance = await anyInstance();
      const hadFault = watchForFaults(instance);
      const before = writer.acknowledged;
      await writer.run(instance, {
        mayFail: hadFault,
        ignoresResponses: () => false,
        isDone: () => isOver || writer.acknowledged - before >= CHANGES_PER_INSTANCE,
      });
      counts.changes += writer.acknowledged - before;
      if (writer.expectedStates().length === 1) continue;
      counts.retries += 1;
      await Bun.sleep(COMMIT_GRACE_MS);
      await resolveOutcome(writer, instance);
    }
  }

  /** Resolves the outcome of a change without a response, at another instance. */
  async function resolveOutcome(writer: Writer, first: Instance): Promise<void> {
    const seen = await retryUntilTimeout(async () => {
      const instance = await anyInstance(instances.length > 1 ? first : undefined);
      return readFolderInventory(instance, writer.folder);
    });
    const outcomes = writer.expectedStates().map((expected) => compare(expected, seen));
    const [best] = outcomes
      .map((found) => [...found.lost, ...found.extra])
      .sort((a, b) => a.length - b.length);
    lost.push(...(best ?? []));
    writer.continueFrom(seen);
  }

  async function read(reader: number): Promise<void> {
    while (!isOver) {
      const instance = await anyInstance();
      const hadFault = watchForFaults(instance);
      try {
        const problem = await pickOne([readOne, readOne, readOne, list, uploadShared])(
          instance,
          reader,
        );
        if (problem === undefined) counts.reads += 1;
        else if (hadFault()) counts.retries += 1;
        else onProblem(`${instance.name}: ${problem}`);
      } catch (error) {
        if (hadFault()) counts.retries += 1;
        else onProblem(`${instance.name}: ${error instanceof Error ? error.message : error}`);
        await Bun.sleep(20);
      }
    }
  }

  async function readOne(instance: Instance): Promise<string | undefined> {
    const [key, content] = pickAny([...sharedFiles]) ?? [];
    if (key === undefined || content === undefined) return undefined;
    const start = randomInt(0, content.size);
    const range = chance(0.3) ? { Range: `bytes=${start}-` } : undefined;
    const answer = await api(instance).get(`/api/hosting/${key}`, range);
    if (answer.status !== (range === undefined ? 200 : 206)) return `${key}: ${answer.status}`;
    const isRight =
      range === undefined
        ? isContent(content, answer.bytes)
        : isPartOf(content, answer.bytes, start) && answer.bytes.length === content.size - start;
    return isRight ? undefined : `${key} was delivered with wrong or missing bytes.`;
  }

  async function list(instance: Instance): Promise<string | undefined> {
    const answer = await api(instance).get("/api/folders?key=shared&limit=20");
    return answer.status === 200 ? undefined : `list: ${answer.status} ${answer.text}`;
  }

  /** Uploads a file and checks that another instance has it. */
  async function uploadShared(instance: Instance, reader: number): Promise<string | undefined> {
    if (sharedFiles.size >= MAX_SHARED_FILES) return readOne(instance);
    const content = newContent(pickOne([randomInt(1, 50_000), randomInt(8_000_000, 10_000_000)]));
    const name = `${reader}-${crypto.randomUUID()}.bin`;
    const parts = [field("folder", "shared"), filePart(name, bytesOf(content))];
    const answer = await api(instance).upload(parts);
    if (answer.status !== 200) return `upload: ${answer.status} ${answer.text}`;
    const key = `shared/${name}`;
    sharedFiles.set(key, content);
    const other = await anyInstance(instance);
    const hadFault = watchForFaults(other);
    const seen = await api(other)
      .get(`/api/hosting/${key}`)
      .catch(() => undefined);
    if (seen?.status === 200 && isContent(content, seen.bytes)) return undefined;
    if (!hadFault())
      onProblem(`${key} was acknowledged, but ${other.name} responds with ${seen?.status}.`);
    return undefined;
  }

  const writers = Array.from({ length: options.writers }, (_, at) =>
    createWriter(`writer-${at}`, onProblem),
  );

  return {
    lost,
    problems,
    counts,
    async run() {
      await api(await anyInstance()).folder("shared");
      const readers = Array.from({ length: options.readers }, (_, at) => read(at));
      await Promise.all([...writers.map(write), ...readers]);
    },
    end() {
      isOver = true;
    },
    async audit(instance) {
      for (const writer of writers) await resolveOutcome(writer, instance);
      for (const [key, content] of sharedFiles) {
        const answer = await api(instance).get(`/api/hosting/${key}`);
        if (answer.status !== 200) lost.push(`${key} is missing: ${answer.status}.`);
        else if (!isContent(content, answer.bytes)) lost.push(`${key} has changed.`);
      }
    },
  };
}

async function retryUntilTimeout<T>(act: () => Promise<T>): Promise<T> {
  const until = performance.now() + RETRY_TIMEOUT_MS;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (performance.now() > until) throw error;
      await Bun.sleep(200);
    }
  }
}
