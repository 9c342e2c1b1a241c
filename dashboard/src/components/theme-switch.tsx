import { Monitor, Moon, Sun } from "lucide-react";
import { useState } from "react";
import { chooseTheme, chosenTheme, type Theme } from "../theme/choice.ts";
import { Segmented } from "./segmented.tsx";

const OPTIONS = [
  { value: "light", label: "Light", Icon: Sun },
  { value: "dark", label: "Dark", Icon: Moon },
  { value: "system", label: "Like the system", Icon: Monitor },
] as const;

export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(chosenTheme);
  const choose = (next: Theme) => {
    chooseTheme(next);
    setTheme(next);
  };
  return <Segmented label="Theme" value={theme} onChange={choose} options={OPTIONS} />;
}
