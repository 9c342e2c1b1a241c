import { useEffect } from "react";
import type { Visibility } from "../../../../sdk/src/holdall.ts";
import { createStore, useStore } from "../../app/store.ts";
import type { Amount } from "../../text/amount.ts";
import type { SettingName } from "../../text/format-setting.ts";

export type BooleanName = "trashDeletions" | "keepVersions";
export type NumberName = Exclude<SettingName, "defaultVisibility" | BooleanName>;

/** What was entered and not yet saved. */
export interface Drafts {
  readonly visibility?: Visibility | undefined;
  readonly booleans: { readonly [Name in BooleanName]?: boolean };
  readonly numbers: { readonly [Name in NumberName]?: Amount };
}

export const NO_DRAFTS: Drafts = { booleans: {}, numbers: {} };

/* Outside the page, so that the input is still there after a look at another page. */
const kept = createStore<Readonly<Record<string, Drafts>>>({});

/** The drafts of a group of settings, and how to change them. */
export function useDrafts(group: string) {
  const drafts = useStore(kept)[group] ?? NO_DRAFTS;
  const setDrafts = (change: (before: Drafts) => Drafts) => {
    const all = kept.get();
    kept.set({ ...all, [group]: change(all[group] ?? NO_DRAFTS) });
  };
  return [drafts, setDrafts] as const;
}

const unsaved = new Set<string>();
const askBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();

/** While a group has changes, also on other pages, the browser asks before the dashboard is closed. */
export function useUnsavedGuard(group: string, isChanged: boolean): void {
  useEffect(() => {
    if (isChanged) unsaved.add(group);
    else unsaved.delete(group);
    if (unsaved.size > 0) window.addEventListener("beforeunload", askBeforeUnload);
    else window.removeEventListener("beforeunload", askBeforeUnload);
  }, [group, isChanged]);
}
