import { accentShades, type Theme } from "../../../../contract/text/accent-colors.ts";

const CANVAS: Record<Theme, string> = { light: "#ffffff", dark: "#0f1113" };
const LABELS: Record<Theme, string> = { light: "Light", dark: "Dark" };

/** How pages use a color, `#rrggbb`, in both themes. */
export function AccentPreview({ color }: { readonly color: string }) {
  return (
    <div className="flex max-w-80 overflow-hidden rounded-lg border border-line text-sm">
      {(["light", "dark"] as const).map((theme) => {
        const { accent, ink } = accentShades(color, theme);
        return (
          <div
            key={theme}
            className="flex flex-1 flex-wrap items-center justify-between gap-2 p-3"
            style={{ backgroundColor: CANVAS[theme] }}
          >
            <span
              className="rounded-md px-2.5 py-1 font-medium"
              style={{ backgroundColor: accent, color: ink }}
            >
              {LABELS[theme]}
            </span>
            <span style={{ color: accent }}>{accent === color ? "As chosen" : accent}</span>
          </div>
        );
      })}
    </div>
  );
}
