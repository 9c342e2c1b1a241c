import type { Holdall, Visibility } from "../../../sdk/src/holdall.ts";
import { clearEnded, hasPending } from "./clear-ended.ts";
import { type GroupDecision, groupOf, isActive, type NewGroup } from "./group.ts";
import { createGroupTasks } from "./group-tasks.ts";
import { type ConflictDecision, isPending, itemOf, type Source } from "./item.ts";
import * as steps from "./queue.ts";
import { createServerCleanup } from "./records/server-cleanup.ts";
import { restartGroup } from "./restart-group.ts";
import { retryGroup } from "./retry-group.ts";
import { applyEnd } from "./sending/apply-end.ts";
import { applyVisibility } from "./sending/apply-visibility.ts";
import { createPauses } from "./sending/pauses.ts";
import { createSender } from "./sending/sender.ts";
import { createUploadLimits, type Limits } from "./upload-limits.ts";
import type { UploadsState } from "./uploads-state.ts";
import { createWork, type Work } from "./work.ts";

export interface EngineDeps {
  /** Must not have a custom `fetch`, since that reports no progress. */
  readonly client: Holdall;
  readonly limits: () => Promise<Limits>;
  /** Resolves when the server can be reached. */
  readonly whenReachable: () => Promise<void>;
  /** Called when files have been stored. */
  readonly onStored: () => void;
  /** The choice of an earlier page, if its uploads may continue. */
  readonly visibility: Visibility | undefined;
  readonly keepVisibility: (visibility: Visibility | undefined) => void;
  /** Stored files could not get the visibility that the user has chosen. */
  readonly onVisibilityFailed: (error: unknown) => void;
}

/** The content of a folder. */
export interface FolderSources {
  readonly files: readonly Source[];
  /** The keys of the folders without files. */
  readonly emptyFolders: readonly string[];
}

export interface Uploads {
  readonly work: Work;
  state(): UploadsState;
  subscribe(listener: () => void): () => void;
  add(sources: readonly Source[]): void;
  /** Begins a folder that is still being read. Returns its id. */
  beginFolder(folder: NewGroup): number;
  /** The folder has been read. */
  startFolder(group: number, sources: FolderSources): void;
  /** Continues: sends whatever can be sent. */
  run(): void;
  pause(ids: steps.Ids | "all"): void;
  resume(ids: steps.Ids | "all"): void;
  cancel(ids: steps.Ids | "all"): void;
  cancelGroup(group: number): void;
  retry(ids: steps.Ids | "failed"): void;
  retryGroup(group: number): void;
  /** Uploads the folder without the files that failed. */
  leaveOutFailed(group: number): void;
  /** Sets the visibility of all uploads in the panel, including stored ones. */
  setVisibility(visibility: Visibility): void;
  /** Sets when the files of all uploads in the panel end, including stored ones: see `UploadsState`. */
  setExpiresIn(expiresIn: number | null): void;
  /** Decides about conflicting names; "all" includes later conflicts. */
  decide(ids: steps.Ids | "all", decision: Exclude<ConflictDecision, "ask"> | "skip"): void;
  decideGroup(group: number, decision: Exclude<GroupDecision, "ask">): void;
  /** Removes the upload or the folder, and what the server has of it. */
  discard(target: { readonly item: number } | { readonly group: number }): void;
  /** Ends a pause that needs the user. */
  tryAgain(): void;
  /** Handles a lost network: aborts running requests and restarts them when it is back. */
  interrupt(): void;
  /** Empties the queue, unless uploads are pending. Hides what was interrupted. */
  clear(): void;
}

export function createUploads(deps: EngineDeps): Uploads {
  const { client } = deps;
  const work = createWork();
  work.visibility = deps.visibility;
  let applying: Promise<unknown> = Promise.resolve();
  const limits = createUploadLimits(work, deps.limits);
  const server = createServerCleanup(work, client);
  /** Whether there may be files without the end that the user has chosen. */
  let missesEnd = false;
  let decisionForAll: Exclude<GroupDecision, "ask"> | undefined;

  const pauses = createPauses({ work, whenReachable: deps.whenReachable, onEnd: run });
  const groups = createGroupTasks({
    work,
    client,
    pauses,
    onStep: run,
    onStored,
    decisionForAll: () => decisionForAll,
  });
  const sender = createSender({
    work,
    client,
    pauses,
    onEnd: run,
    onStored,
    maxFiles: limits.maxFiles,
    onBatchGone(group, url) {
      // Other requests for the same batch find out at the same time.
      if (!work.group(group)?.batches.includes(url)) return;
      restartGroup(work, group);
      sender.abort((item) => item.group === group);
    },
    onTaken(taken) {
      if (decisionForAll !== undefined)
        work.items = steps.decide(work.items, taken, decisionForAll);
    },
  });
  work.isSending = sender.isSending;

  function onStored(): void {
    deps.onStored();
    applyChoice();
  }

  /** Files that were being sent when the user chose get the choice now. */
  function applyChoice(): void {
    applying = applying
      .then(async () => {
        const hasVisibility = await applyVisibility(work, client);
        const hasEnd = missesEnd && (await applyEnd(work, client));
        // Requests on their way still carry the earlier choice, so the next round looks again.
        missesEnd &&= work.isSending();
        return hasVisibility || hasEnd;
      })
      .then((isChanged) => isChanged && deps.onStored())
      .catch(deps.onVisibilityFailed);
  }

  function run(): void {
    if (work.pause === undefined) groups.run();
    sender.run();
  }

  function start(): void {
    work.isHidden = false;
    work.publish();
    void limits.apply().then(run);
  }

  /** "Apply to all" ends with the queue in which it was chosen. */
  function forgetDecision(): void {
    if (!work.items.some(isPending) && !work.groups.some(isActive)) decisionForAll = undefined;
  }

  function cancelGroup(id: number): void {
    const ids = new Set(work.itemsOf(id).map((item) => item.id));
    groups.abort(id);
    server.dropGroup(id);
    work.changeGroup(id, { state: "cancelled", batches: [], message: undefined });
    work.items = steps.cancel(work.items, ids);
    sender.abort((item) => item.group === id);
  }

  return {
    work,
    state: work.state,
    subscribe: work.subscribe,
    run: start,
    add(sources) {
      forgetDecision();
      work.items = [...work.items, ...sources.map((source) => itemOf(work.nextId(), source))];
      start();
    },
    beginFolder(folder) {
      forgetDecision();
      const id = work.nextId();
      work.groups = [...work.groups, groupOf(id, folder)];
      work.isHidden = false;
      work.publish();
      return id;
    },
    startFolder(group, { files, emptyFolders }) {
      if (work.group(group)?.state !== "reading") return;
      const items = files.map((source) => ({ ...itemOf(work.nextId(), source), group }));
      work.items = [...work.items, ...items];
      work.changeGroup(group, { state: "checking", emptyFolders });
      start();
    },
    pause(ids) {
      work.items = steps.pause(work.items, ids);
      sender.abort(({ id }) => ids === "all" || ids.has(id));
      run();
    },
    resume(ids) {
      work.items = steps.resume(work.items, ids);
      run();
    },
    cancel(ids) {
      if (ids === "all") {
        // The server finishes a commit that it has received.
        const open = work.groups.filter((each) => isActive(each) && each.state !== "committing");
        for (const { id } of open) cancelGroup(id);
        if (work.pause?.reason === "room") work.pause = undefined;
      }
      server.forget(
        work.items.filter((item) => isPending(item) && (ids === "all" || ids.has(item.id))),
      );
      work.items = steps.cancel(work.items, ids);
      sender.abort(({ id }) => ids === "all" || ids.has(id));
      run();
    },
    cancelGroup(id) {
      cancelGroup(id);
      run();
    },
    retry(ids) {
      work.items = steps.retry(work.items, ids);
      if (ids === "failed")
        for (const { id, state } of work.groups) if (state === "failed") retryGroup(work, id);
      limits.forget();
      start();
    },
    retryGroup(id) {
      retryGroup(work, id);
      limits.forget();
      start();
    },
    leaveOutFailed(id) {
      work.items = steps.change(
        work.items,
        ({ group, state }) => group === id && state === "failed",
        (item) => ({ ...item, state: "skipped" }),
      );
      run();
    },
    setVisibility(visibility) {
      work.visibility = visibility;
      deps.keepVisibility(visibility);
      work.publish();
      applyChoice();
    },
    setExpiresIn(expiresIn) {
      work.expiresIn = expiresIn;
      work.publish();
      missesEnd = true;
      applyChoice();
    },
    decide(ids, decision) {
      if (ids === "all") {
        decisionForAll = decision;
        for (const { id, state } of work.groups) {
          if (state === "taken") work.changeGroup(id, { decision, state: "opening" });
        }
      }
      work.items = steps.decide(work.items, ids, decision);
      run();
    },
    decideGroup(id, decision) {
      if (work.group(id)?.state === "taken") {
        work.changeGroup(id, { decision, state: "opening" });
      }
      run();
    },
    discard(target) {
      if ("group" in target) {
        cancelGroup(target.group);
        work.items = work.items.filter(({ group }) => group !== target.group);
        work.groups = work.groups.filter(({ id }) => id !== target.group);
      } else {
        server.forget(work.items.filter(({ id }) => id === target.item));
        work.items = steps.remove(work.items, new Set([target.item]));
      }
      run();
    },
    tryAgain: pauses.end,
    interrupt() {
      if (!sender.isSending()) return;
      pauses.waitForServer();
      sender.abort(() => true);
      groups.interrupt();
      work.publish();
    },
    clear() {
      if (hasPending(work)) return;
      server.forgetFailed();
      clearEnded(work);
      deps.keepVisibility(undefined);
    },
  };
}
