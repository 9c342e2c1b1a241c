import { type ReactNode, useId, useRef, useState } from "react";
import { lazyComponent } from "../../app/lazy-component.tsx";
import type { MenuItem } from "./menu-item.ts";

const MenuList = lazyComponent(async () => (await import("./menu-list.tsx")).MenuList);

export interface TriggerProps {
  readonly id: string;
  readonly ref: (element: HTMLElement | null) => void;
  readonly "aria-haspopup": "menu";
  readonly "aria-expanded": boolean;
  readonly onClick: () => void;
}

export interface MenuProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
  /** Renders the button with these props. */
  readonly trigger: (props: TriggerProps) => ReactNode;
}

/** A button that opens a menu. */
export function Menu({ label, items, trigger }: MenuProps) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLElement | null>(null);
  const id = useId();
  return (
    <>
      {trigger({
        id,
        ref: (element) => {
          button.current = element;
        },
        "aria-haspopup": "menu",
        "aria-expanded": open,
        onClick: () => setOpen(!open),
      })}
      {open && (
        <MenuList
          label={label}
          items={items}
          anchor={() => button.current?.getBoundingClientRect() ?? new DOMRect()}
          opener={button.current}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
