export interface TreeMove {
  readonly focus?: HTMLElement | undefined;
  readonly toggle?: boolean;
  readonly select?: boolean;
}

/** The effect of a key on a tree item; undefined if it has none. */
export function treeMove(key: string, item: HTMLElement, tree: HTMLElement): TreeMove | undefined {
  const all = [...tree.querySelectorAll<HTMLElement>("[role=treeitem]")];
  const at = all.indexOf(item);
  const expanded = item.ariaExpanded;
  switch (key) {
    case "ArrowDown":
      return { focus: all[at + 1] };
    case "ArrowUp":
      return { focus: all[at - 1] };
    case "Home":
      return { focus: all[0] };
    case "End":
      return { focus: all.at(-1) };
    case "ArrowRight":
      return expanded === "false" ? { toggle: true } : { focus: all[at + 1] };
    case "ArrowLeft":
      if (expanded === "true") return { toggle: true };
      return { focus: parentOf(all, at) };
    case "Enter":
    case " ":
      return { select: true };
    default:
      return undefined;
  }
}

/** The parent item: the nearest one before it with a lower level. */
function parentOf(all: readonly HTMLElement[], at: number): HTMLElement | undefined {
  const level = Number(all[at]?.ariaLevel);
  return all.slice(0, at).findLast((item) => Number(item.ariaLevel) < level);
}
