import type { SettingsObject } from "../../contract/api.ts";
import {
  type BooleanSettingName,
  booleanSettingNames,
  booleanSettings,
  eachBoolean,
  eachNumber,
  eachText,
  isTextValue,
  type NumberSettingName,
  numberSettingNames,
  numberSettings,
  type SettingName,
  type SettingValues,
  type TextSettingName,
  textSettingNames,
  variableOf,
  visibilitySetting,
} from "../../contract/settings.ts";
import type { StoredSettings } from "../catalog/port/credentials.ts";
import { Fault } from "../domain/faults/fault.ts";
import { createThrottledReport } from "../lib/throttled-report.ts";
import { LOGO, LOGO_BYTES, type Logo, logoTexts, type NewLogo, parseLogo } from "./logo.ts";
import { createStaleWhileRevalidateCache } from "./stale-while-revalidate-cache.ts";

/**
 * Settings that can change while the server runs. The environment pins a setting; otherwise the value
 * in the catalog applies, and then the default.
 */
export interface Settings {
  /** The effective values, frozen. Call it for each use. */
  current(): SettingValues;
  describe(): SettingsObject;
  /**
   * Changes the given settings, all or none; null: back to the default. All workers and servers use
   * them once it resolves. Faults: "conflict": one is pinned by the environment; "invalid": two
   * contradict each other.
   */
  change(changes: SettingChanges): Promise<void>;
  /** The logo of the instance; null: none. Call it for each use. */
  logo(): Logo | null;
  /** All workers and servers use it once it resolves. null removes the logo. */
  changeLogo(logo: NewLogo | null): Promise<void>;
  /** The logo as WebP; undefined: it is another version. */
  logoBytes(version: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /**
   * Await this before the first `current` of a request; undefined: call it at once. `current` then
   * includes every change that any process has confirmed before. Faults: the catalog's.
   */
  fresh(): Promise<void> | undefined;
  /** Reads the settings again, after another process has changed them. */
  refresh(): Promise<void>;
  /** Stops polling for changes by other processes. */
  close(): void;
}

/** The values must be within their bounds. */
export type SettingChanges = {
  readonly [Name in SettingName]?: SettingValues[Name] | null | undefined;
};

export interface SettingsDeps {
  readonly catalog: StoredSettings;
  /** Set by the environment. */
  readonly pinned: Partial<SettingValues>;
  /** Resolves when all other processes use the settings in the catalog; a change is confirmed then. */
  readonly broadcast?: () => Promise<void>;
  readonly onError: (message: string, cause: unknown) => void;
}

/** How soon background work sees a change by another process. */
const POLL_MS = 5000;

const names: readonly SettingName[] = [
  "defaultVisibility",
  ...numberSettingNames,
  ...booleanSettingNames,
  ...textSettingNames,
];

export async function createSettings({
  catalog,
  pinned,
  broadcast = async () => {},
  onError,
}: SettingsDeps): Promise<Settings> {
  let stored: ReadonlyMap<string, string> = new Map();
  let values = resolveSettings(stored, pinned);
  let logo: Logo | null = null;
  const settingsCache = createStaleWhileRevalidateCache(
    () => catalog.settings([...names, LOGO]),
    (found) => {
      stored = found;
      logo = parseLogo(found.get(LOGO));
      values = resolveSettings(stored, pinned);
    },
  );
  const report = createThrottledReport<[cause: unknown]>(onError);
  const { fresh, refresh } = settingsCache;
  await refresh();
  const timer = setInterval(() => {
    refresh().catch((cause) => report("refresh", "The settings could not be refreshed", cause));
  }, POLL_MS);
  timer.unref();

  return {
    current: () => values,
    describe() {
      const defaults = resolveSettings(new Map(), { maxPresignSeconds: values.maxPresignSeconds });
      const numbers = eachNumber((name) => ({
        value: values[name],
        default: name === "maxPresignSeconds" ? numberSettings[name].default : defaults[name],
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
        ...eachBoolean((name) => ({
          value: values[name],
          default: booleanSettings[name].default,
          pinned: name in pinned,
          variable: variableOf(name),
          unit: null,
        })),
        ...eachText((name) => ({
          value: values[name],
          default: "",
          pinned: name in pinned,
          variable: variableOf(name),
          unit: null,
        })),
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
      rejectLongDefault(changes, valuesAfter(wanted));
      await catalog.putSettings(wanted);
      await Promise.all([refresh(), broadcast()]);
    },
    logo: () => logo,
    async changeLogo(changed) {
      await catalog.putSettings(logoTexts(changed));
      await Promise.all([refresh(), broadcast()]);
    },
    async logoBytes(version) {
      const found = await catalog.settings([LOGO, LOGO_BYTES]);
      const bytes = found.get(LOGO_BYTES);
      if (bytes === undefined || parseLogo(found.get(LOGO))?.version !== version) return undefined;
      return Uint8Array.fromBase64(bytes);
    },
    fresh,
    refresh,
    close: () => clearInterval(timer),
  };

  function valuesAfter(wanted: Readonly<Record<string, string | null>>): SettingValues {
    const after = new Map(stored);
    for (const [name, value] of Object.entries(wanted)) {
      if (value === null) after.delete(name);
      else after.set(name, value);
    }
    return resolveSettings(after, pinned);
  }
}

function pinnedByEnvironment(name: SettingName): Fault {
  return new Fault(
    "conflict",
    `\`${name}\` is set by the environment: change ${variableOf(name)} there, or remove it.`,
  );
}

function rejectLongDefault(changes: SettingChanges, after: SettingValues): void {
  const max = after.maxPresignSeconds;
  if ((changes.defaultPresignSeconds ?? 0) <= max) return;
  throw new Fault(
    "invalid",
    `\`defaultPresignSeconds\` must be at most \`maxPresignSeconds\`, which is ${max}.`,
  );
}

/**
 * The effective values, frozen: pinned ones first, then stored ones, then the defaults. Stored text
 * that is not valid, as another version may have written, is ignored.
 */
function resolveSettings(
  stored: ReadonlyMap<string, string>,
  pinned: Partial<SettingValues>,
): SettingValues {
  const numbers = eachNumber((name) => pinned[name] ?? parseNumber(name, stored.get(name)));
  const storedVisibility = visibilitySetting.choices.find(
    (choice) => choice === stored.get("defaultVisibility"),
  );
  return Object.freeze({
    ...numbers,
    ...eachBoolean((name) => pinned[name] ?? parseBoolean(name, stored.get(name))),
    ...eachText((name) => pinned[name] ?? parseText(name, stored.get(name))),
    defaultVisibility: pinned.defaultVisibility ?? storedVisibility ?? visibilitySetting.default,
    // A maximum that was lowered later applies too.
    defaultPresignSeconds: Math.min(numbers.defaultPresignSeconds, numbers.maxPresignSeconds),
  });
}

/** The text that is stored for a value. */
const storedText = (value: string | number | boolean): string => String(value);

function parseNumber(name: NumberSettingName, text: string | undefined): number {
  const { from, to, default: defaultValue } = numberSettings[name];
  const number = /^\d{1,16}$/.test(text ?? "") ? Number(text) : Number.NaN;
  return number >= from && number <= to ? number : defaultValue;
}

const parseText = (name: TextSettingName, text = ""): string =>
  isTextValue(name, text) ? text : "";

function parseBoolean(name: BooleanSettingName, text: string | undefined): boolean {
  if (text === "true") return true;
  return text === "false" ? false : booleanSettings[name].default;
}
