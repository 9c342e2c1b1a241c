import { Dialog } from "../../components/dialogs/dialog.tsx";
import { FocusArea } from "../../components/focus-area.tsx";
import { type Combination, type ShortcutPlace, shortcuts } from "./shortcuts.ts";

const TITLES: Readonly<Record<ShortcutPlace, string>> = {
  anywhere: "Everywhere",
  files: "Files",
  list: "In the list",
  preview: "In the preview",
};

/** Keys without a handler of their own, because their effect depends on the layout. */
const MORE: Partial<Record<ShortcutPlace, readonly Row[]>> = {
  list: [
    { text: "Move", keys: ["↑", "↓", "←", "→"] },
    { text: "Extend the selection", keys: ["Shift + ↑", "Shift + ↓"] },
  ],
  preview: [
    { text: "Close", keys: ["Esc"] },
    { text: "Zoom in, out, reset", keys: ["+", "−", "0"] },
  ],
};

interface Row {
  readonly text: string;
  readonly keys: readonly string[];
}

/** Lists all keyboard shortcuts. */
export function ShortcutDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} wide>
      {/* On a small screen they do not fit, and nothing else in the dialog scrolls by keyboard. */}
      <FocusArea label="All shortcuts" className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
        {places.map((place) => (
          <section key={place} aria-label={TITLES[place]} className="min-w-0">
            <h3 className="pb-1 font-semibold text-sm">{TITLES[place]}</h3>
            <dl>
              {[...rowsOf(place), ...(MORE[place] ?? [])].map(({ text, keys }) => (
                <div key={text} className="flex min-h-8 items-center justify-between gap-3">
                  <dt className="text-muted text-sm">{text}</dt>
                  <dd className="flex flex-wrap justify-end gap-1">
                    {keys.map((key) => (
                      <kbd
                        key={key}
                        className="rounded-sm border border-line bg-side px-1.5 py-0.5 font-sans text-xs"
                      >
                        {key}
                      </kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </FocusArea>
    </Dialog>
  );
}

const places = ["anywhere", "files", "list", "preview"] as const;

const rowsOf = (place: ShortcutPlace): Row[] =>
  shortcuts[place].map(({ text, keys }) => ({
    text,
    keys: [...new Set(keys.map(labelOf))],
  }));

const IS_MAC = navigator.platform.startsWith("Mac");

const LABELS: Readonly<Record<string, string>> = {
  " ": "Space",
  ArrowUp: "↑",
  ArrowLeft: "←",
  ArrowRight: "→",
  Escape: "Esc",
  Delete: "Del",
};

function labelOf({ key, command, alt }: Combination): string {
  const label = LABELS[key] ?? (key.length === 1 ? key.toUpperCase() : key);
  const modifiers = [
    ...(command !== true ? [] : [IS_MAC ? "⌘" : "Ctrl"]),
    ...(alt !== true ? [] : [IS_MAC ? "⌥" : "Alt"]),
  ];
  return [...modifiers, label].join(" + ");
}
