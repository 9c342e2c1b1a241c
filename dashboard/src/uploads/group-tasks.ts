import type { Holdall } from "../../../sdk/src/holdall.ts";
import { createCountTaken } from "./choosing/count-taken.ts";
import { missingFolders } from "./choosing/missing-folders.ts";
import { failureOf } from "./failure.ts";
import { assignBatches, type Group, type GroupDecision } from "./group.ts";
import { joinKey } from "./item.ts";
import { change } from "./queue.ts";
import { hasStatus } from "./records/find-file.ts";
import { restartGroup } from "./restart-group.ts";
import type { Pauses } from "./sending/pauses.ts";
import type { Work } from "./work.ts";

export interface GroupTasksDeps {
  readonly work: Work;
  readonly client: Holdall;
  readonly pauses: Pauses;
  /** "Apply to all", if the user has chosen it. */
  readonly decisionForAll: () => GroupDecision | undefined;
  /** Called after each step. */
  readonly onStep: () => void;
  /** Called when files have appeared. */
  readonly onStored: () => void;
}

/** Takes groups from one state to the next, except for sending their files. */
export interface GroupTasks {
  /** Starts the next step of every group that can take one. */
  run(): void;
  abort(group: number): void;
  /** Aborts all steps, which are started again later. */
  interrupt(): void;
}

const MAX_INTERRUPTIONS = 3;

export function createGroupTasks(deps: GroupTasksDeps): GroupTasks {
  const { work, client, pauses } = deps;
  const countTaken = createCountTaken(client);
  const running = new Map<number, AbortController>();

  function nextStep(group: Group): ((signal: AbortSignal) => Promise<void>) | undefined {
    switch (group.state) {
      case "checking":
        return (signal) => check(group, signal);
      case "opening":
        return (signal) => open(group, signal);
      case "sending":
        return isComplete(group) ? (signal) => commit(group, signal) : undefined;
      case "committing":
        return (signal) => commit(group, signal);
      default:
        return undefined;
    }
  }

  /** Nothing is left to send, and the user has decided about every failure. */
  function isComplete({ id }: Group): boolean {
    return work.itemsOf(id).every(({ state }) => state === "done" || state === "skipped");
  }

  async function check(group: Group, signal: AbortSignal): Promise<void> {
    const { id, folder, name, decision } = group;
    const asked = decision === "ask" ? (deps.decisionForAll() ?? "ask") : decision;
    if (asked !== "ask") return work.changeGroup(id, { decision: asked, state: "opening" });
    const conflicts = await countTaken(joinKey(folder, name), work.itemsOf(id), signal);
    work.changeGroup(id, { conflicts, state: conflicts > 0 ? "taken" : "opening" });
  }

  async function open(group: Group, signal: AbortSignal): Promise<void> {
    const { id, folder, decision } = group;
    const needed = assignBatches(work.itemsOf(id));
    // A name that is taken between the check and the commit never costs the other files.
    const onConflict = decision === "ask" ? "skip" : decision;
    const { visibility, expiresIn: fileExpiresIn } = work;
    if (group.batches.length === 0) work.changeGroup(id, { visibility });
    let batches = work.group(id)?.batches ?? [];
    while (batches.length < needed.batches) {
      const { url } = await client.batches.create({
        ...{ folder, onConflict, visibility, fileExpiresIn },
        signal,
      });
      batches = [...batches, url];
      work.changeGroup(id, { batches });
    }
    const { assigned } = assignBatches(work.itemsOf(id));
    work.items = work.items.map((item) => {
      const batch = assigned.get(item.id);
      return batch === undefined ? item : { ...item, batch };
    });
    work.changeGroup(id, { state: "sending" });
  }

  async function commit(
    { id, folder, batches, emptyFolders, decision }: Group,
    signal: AbortSignal,
  ): Promise<void> {
    work.changeGroup(id, { state: "committing" });
    work.publish();
    let [skipped, replaced] = [0, 0];
    // A commit that is sent again answers the same.
    for (const [batch, url] of batches.entries()) {
      const { result } = await client.batches.commit(url, { signal });
      skipped += result?.skipped ?? 0;
      if (decision !== "replace" || result === null || result.replaced === 0) continue;
      replaced += result.replaced;
      work.items = change(
        work.items,
        (item) => item.group === id && item.batch === batch && item.state === "done",
        (item) => ({ ...item, replacedAt: result.committedAt }),
      );
    }
    // Files that were sent before a reload cannot be compared with the stored ones.
    const canUndo = work.itemsOf(id).every(({ replacedAt, content }) => !replacedAt || content);
    if (!canUndo) replaced = 0;
    deps.onStored();
    for (const key of await missingFolders(client, folder, emptyFolders, signal)) {
      await makeFolder(client, key, signal);
    }
    work.changeGroup(id, { state: "done", skipped, replaced });
    deps.onStored();
  }

  function afterFailure({ id, interruptions }: Group, error: unknown): void {
    const failure = failureOf(error, "batch");
    // A name that is taken refuses the commit, and will do so again.
    const isRefused = failure.kind === "refused" || hasStatus(error, 409);
    const isLost = failure.kind === "interrupted" && interruptions >= MAX_INTERRUPTIONS;
    if (isRefused || isLost) work.changeGroup(id, { state: "failed", message: failure.message });
    else if (failure.kind === "gone") restartGroup(work, id);
    else {
      if (failure.kind === "interrupted")
        work.changeGroup(id, { interruptions: interruptions + 1 });
      pauses.pauseFor(failure);
    }
  }

  async function runStep(
    group: Group,
    step: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const controller = new AbortController();
    running.set(group.id, controller);
    try {
      await step(controller.signal);
    } catch (error) {
      const now = work.group(group.id);
      if (now !== undefined && !controller.signal.aborted) afterFailure(now, error);
    }
    running.delete(group.id);
    deps.onStep();
  }

  return {
    run() {
      for (const group of work.groups) {
        const step = running.has(group.id) ? undefined : nextStep(group);
        if (step !== undefined) void runStep(group, step);
      }
    },
    abort: (id) => running.get(id)?.abort(),
    interrupt() {
      for (const controller of running.values()) controller.abort();
    },
  };
}

async function makeFolder(client: Holdall, key: string, signal: AbortSignal): Promise<void> {
  try {
    await client.folders.create(key, { signal });
  } catch (error) {
    if (!hasStatus(error, 409)) throw error;
    // An existing folder is fine; a file with this name is not.
    await client.folders.browse({ key }, { limit: 0, signal }).catch((reason: unknown) => {
      throw hasStatus(reason, 404) ? error : reason;
    });
  }
}
