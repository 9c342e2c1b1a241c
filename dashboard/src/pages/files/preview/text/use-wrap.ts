import { readStored, writeStored } from "../../../../app/local-storage.ts";
import { createStore, useStore } from "../../../../app/store.ts";

const STORAGE_KEY = "holdall-wrap";

const choice = createStore<boolean | undefined>(readChoice());

function readChoice(): boolean | undefined {
  const stored = readStored(STORAGE_KEY);
  return stored === null ? undefined : stored === "true";
}

/** Whether long lines of texts are broken: the user's choice for all texts, or until then `preset`. */
export function useWrap(preset: boolean): readonly [boolean, (wrap: boolean) => void] {
  const set = (wrap: boolean) => {
    choice.set(wrap);
    writeStored(STORAGE_KEY, String(wrap));
  };
  return [useStore(choice) ?? preset, set];
}
