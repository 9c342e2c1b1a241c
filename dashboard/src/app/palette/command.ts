import type { ReactNode } from "react";

/** An entry of the palette: an action or a place to open. */
export interface Command {
  /** Unique. */
  readonly id: string;
  readonly title: string;
  /** Beside the title, such as the folder of a file. */
  readonly note?: string | undefined;
  /** Other words that find it. */
  readonly words?: string;
  readonly icon: ReactNode;
  /** Keyboard shortcut, for display only. */
  readonly shortcut?: string | undefined;
  readonly run: () => void;
}

export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly Command[];
}
