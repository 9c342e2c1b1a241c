import {
  eachNumber,
  numberSettingNames,
  numberSettings,
  type SettingName,
  type SettingValues,
  variableOf,
  visibilitySetting,
} from "../../contract/settings.ts";
import type { SettingsObject } from "../../contract/types.ts";
import type { StoredSettings } from "../catalog/port.ts";
import { Fault } from "../rules/fault.ts";
import { storedText, valuesOf } from "./setting-values.ts";
import { createStaleWhileRevalidateCache } from "./stale-while-revalidate-cache.ts";

/**
 * What may be changed while the service runs. What the environment sets is pinned; what the
 * catalog keeps comes next, and then the default.
 */
export interface Settings {
  /** The values that hold now, frozen: ask again rather than keep them. */
  current(): SettingValues;
  describe(): SettingsObject;
  /**
   * Sets what is given, null: back to the default; all of it or nothing, and in force when it
   * resolves. Faults: "conflict": the environment decides one of them; "invalid": two do not go
   * together.
   */
  change(changes: SettingChanges): Promise<void>;
  /**
   * To be awaited before `current` is asked for the first time for a request; undefined: at once. Then
   * what any process was answered to have changed before holds. Faults: the catalog's.
   */
  fresh(): Promise<void> | undefined;
  /** Takes in what another process has changed. */
  refresh(): Promise<void>;
  /** Ends the looking for changes that other processes make. */
  close(): void;
}

/** Of values within their bounds. */
export type SettingChanges = {
  readonly [Name in SettingName]?: SettingValues[Name] | null | undefined;
};

export interface SettingsParts {
  readonly stored: StoredSettings;
  /** What the environment decides. */
  readonly pinned: Partial<SettingValues>;
  /** Resolves when all other processes go by what is in the catalog now: a change is answered then. */
  readonly broadcast?: () => Promise<void>;
  readonly onError: (message: string, cause: unknown) => void;
}

/** How soon a change is in force for what no request brings about. */
const POLL_MS = 5000;

const names: readonly SettingName[] = ["defaultVisibility", ...numberSettingNames];

export async function createSettings({
  stored,
  pinned,
  broadcast = async () => {},
  onError,
}: SettingsParts): Promise<Settings> {
  let kept: ReadonlyMap<string, string> = new Map();
  let values = valuesOf(kept, pinned);
  const { fresh, refresh } = createStaleWhileRevalidateCache(
    () => stored.settings(names),
    (found) => {
      kept = found;
      values = valuesOf(kept, pinned);
    },
  );
  await refresh();
  const timer = setInterval(() => {
    refresh().catch((cause) => onError("The settings could not be read anew", cause));
  }, POLL_MS);
  timer.unref();

  return {
    current: () => values,
    describe() {
      const usual = valuesOf(new Map(), { maxPresignSeconds: values.maxPresignSeconds });
      const numbers = eachNumber((name) => ({
        value: values[name],
        default: name === "maxPresignSeconds" ? numberSettings[name].default : usual[name],
        pinned: name in pinned,
        variable: variableOf(name),
        unit: numberSettings[name].unit,
      }));
      return {
        defaultVisibility: {
          value: values.defaultVisibility,
          default: visibilitySetting.default,
          pinned: "defaultVisibility" in pinned,
          variable: variableOf("defaultVisibility"),
          unit: null,
        },
        ...numbers,
      };
    },
    async change(changes) {
      const wanted: Record<string, string | null> = {};
      for (const name of names) {
        const value = changes[name];
        if (value === undefined) continue;
        if (name in pinned) {
          if (value === values[name]) continue;
          throw pinnedByEnvironment(name);
        }
        wanted[name] = value === null ? null : storedText(value);
      }
      refuseLongDefault(changes, valuesAfter(wanted));
      await stored.putSettings(wanted);
      await Promise.all([refresh(), broadcast()]);
    },
    fresh,
    refresh,
    close: () => clearInterval(timer),
  };

  function valuesAfter(wanted: Readonly<Record<string, string | null>>): SettingValues {
    const after = new Map(kept);
    for (const [name, value] of Object.entries(wanted)) {
      if (value === null) after.delete(name);
      else after.set(name, value);
    }
    return valuesOf(after, pinned);
  }
}

function pinnedByEnvironment(name: SettingName): Fault {
  return new Fault(
    "conflict",
    `\`${name}\` is set by the environment: change ${variableOf(name)} there, or remove it.`,
  );
}

function refuseLongDefault(changes: SettingChanges, after: SettingValues): void {
  const most = after.maxPresignSeconds;
  if ((changes.defaultPresignSeconds ?? 0) <= most) return;
  throw new Fault(
    "invalid",
    `\`defaultPresignSeconds\` must be at most \`maxPresignSeconds\`, which is ${most}.`,
  );
}
