import { useEffect } from "react";
import type { Visibility } from "../../../../sdk/src/holdall.ts";
import { createStore, useStore } from "../../app/store.ts";
import type { Amount } from "../../text/amount.ts";
import type { SettingName } from "../../text/format-setting.ts";

export type BooleanName =
  | "trashDeletions"
  | "keepVersions"
  | "lastingUrls"
  | "fetchByKeys"
  | "requireSecondFactor"
  | "logDownloads";
export type TextName = "instanceName" | "accentColor";
export type NumberName = Exclude<SettingName, "defaultVisibility" | BooleanName | TextName>;

/** Values that were entered and not yet saved. */
export interface Drafts {
  readonly visibility?: Visibility | undefined;
  readonly booleans: { readonly [Name in BooleanName]?: boolean };
  readonly numbers: { readonly [Name in NumberName]?: Amount };
  readonly texts: { readonly [Name in TextName]?: string };
}

export const NO_DRAFTS: Drafts = { booleans: {}, numbers: {}, texts: {} };

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

const unsaved = createStore<ReadonlySet<string>>(new Set());
const askBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();

/** While a group has changes, also on other pages, the browser asks before the dashboard is closed. */
export function useUnsavedGuard(group: string, isChanged: boolean): void {
  useEffect(() => noteUnsaved(group, isChanged), [group, isChanged]);
}

/** Does the work of `useUnsavedGuard` for input that is not kept when the page is left. */
export function useUnsavedInputGuard(group: string, isChanged: boolean): void {
  useUnsavedGuard(group, isChanged);
  useEffect(() => () => noteUnsaved(group, false), [group]);
}

/** Whether any of these groups has changes. */
export function useHasUnsaved(groups: readonly string[]): boolean {
  const all = useStore(unsaved);
  return groups.some((group) => all.has(group));
}

function noteUnsaved(group: string, isChanged: boolean): void {
  const groups = new Set(unsaved.get());
  if (groups.has(group) === isChanged) return;
  if (isChanged) groups.add(group);
  else groups.delete(group);
  unsaved.set(groups);
  if (groups.size > 0) window.addEventListener("beforeunload", askBeforeUnload);
  else window.removeEventListener("beforeunload", askBeforeUnload);
}
