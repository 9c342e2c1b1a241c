import type { Visibility } from "../../../sdk/src/holdall.ts";
import type { Group, Groups } from "./group.ts";
import { changeGroup } from "./group.ts";
import type { Item } from "./item.ts";
import * as steps from "./queue.ts";
import { createSpeed, type Speed } from "./speed.ts";
import { groupTotals } from "./summary.ts";
import type { Pause, UploadsState } from "./uploads-state.ts";

/** The items, the groups and the pause of a tab's uploads, and those who watch them. */
export interface Work {
  items: steps.Queue;
  groups: Groups;
  pause: Pause | undefined;
  isHidden: boolean;
  /** The user's choice for all uploads; undefined: there is none. */
  visibility: Visibility | undefined;
  /** The user's choice of when the uploaded files end, as in `UploadsState`. */
  expiresIn: number | null | undefined;
  /** Whether anything is being sent; otherwise there is no speed. */
  isSending: () => boolean;
  nextId(): number;
  group(id: number | undefined): Group | undefined;
  itemsOf(group: number): readonly Item[];
  changeGroup(id: number, changes: Partial<Group>): void;
  /** Notes the progress of a bundle, for the next publication. `more`: bytes sent since the last call. */
  record(sent: ReadonlyMap<number, steps.Sent>, more: number): void;
  state(): UploadsState;
  publish(): void;
  subscribe(listener: () => void): () => void;
}

const PUBLISH_MS = 150;

const NOTHING: UploadsState = {
  items: [],
  groups: [],
  totals: new Map(),
  speeds: new Map(),
  pause: undefined,
  speed: undefined,
  isHidden: false,
  visibility: undefined,
  expiresIn: undefined,
};

export function createWork(): Work {
  const listeners = new Set<() => void>();
  const pending = new Map<number, steps.Sent>();
  const total = createSpeed();
  const groupSpeeds = new Map<number, Speed>();
  let totalBytes = 0;
  let lastId = 0;
  let state = NOTHING;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function speedOf(group: number): Speed {
    const speed = groupSpeeds.get(group) ?? createSpeed();
    groupSpeeds.set(group, speed);
    return speed;
  }

  const work: Work = {
    items: [],
    groups: [],
    pause: undefined,
    isHidden: false,
    visibility: undefined,
    expiresIn: undefined,
    isSending: () => false,
    nextId() {
      lastId += 1;
      return lastId;
    },
    group: (id) => work.groups.find((group) => group.id === id),
    itemsOf: (id) => work.items.filter(({ group }) => group === id),
    changeGroup(id, changes) {
      work.groups = changeGroup(work.groups, id, changes);
    },
    record(sent, more) {
      const now = performance.now();
      totalBytes += more;
      total.record(totalBytes, now);
      for (const [id, each] of sent) pending.set(id, each);
      timer ??= setTimeout(work.publish, PUBLISH_MS);
    },
    state: () => state,
    publish() {
      clearTimeout(timer);
      timer = undefined;
      if (pending.size > 0) work.items = steps.progress(work.items, pending);
      pending.clear();
      const { items, groups, pause, isHidden, visibility, expiresIn } = work;
      const now = performance.now();
      const isStill = !work.isSending() || pause !== undefined;
      if (isStill) total.reset();
      const totals = groupTotals(items, groups);
      const speeds = new Map<number, number | undefined>();
      for (const [id, { open, sent }] of totals) {
        const speed = speedOf(id);
        if (isStill || open === 0) speed.reset();
        else speed.record(sent, now);
        speeds.set(id, speed.now(now));
      }
      const speed = total.now(now);
      state = { items, groups, totals, pause, speed, speeds, isHidden, visibility, expiresIn };
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return work;
}
