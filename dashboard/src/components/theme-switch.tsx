import { Monitor, Moon, Sun } from "lucide-react";
import { useSyncExternalStore } from "react";
import { appliedTheme, onThemeChange, setTheme } from "../theme/choice.ts";
import { Segmented } from "./segmented.tsx";

const OPTIONS = [
  { value: "light", label: "Light", Icon: Sun },
  { value: "dark", label: "Dark", Icon: Moon },
  { value: "system", label: "System", Icon: Monitor },
] as const;

const LABELS = OPTIONS.map(({ value, label }) => ({ value, label }));

/** Chooses the theme; with icons where there is little room. */
export function ThemeSwitch({ variant }: { readonly variant: "icons" | "labels" }) {
  const theme = useSyncExternalStore(onThemeChange, appliedTheme);
  return (
    <Segmented
      label="Theme"
      value={theme}
      onChange={setTheme}
      options={variant === "labels" ? LABELS : OPTIONS}
    />
  );
}
