import { X } from "lucide-react";
import { type RefObject, useLayoutEffect, useRef } from "react";
import { IconButton } from "../../components/icon-button.tsx";

export interface StopButtonProps {
  readonly label: string;
  readonly isStopped: boolean;
  readonly onStop: () => void;
  /** An element that stays, and gets the focus when the button goes with the focus on it. */
  readonly around: RefObject<HTMLElement | null>;
}

/** Stops running operations, and disappears when they have ended. */
export function StopButton({ label, isStopped, onStop, around }: StopButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const element = button.current;
    return () => {
      if (document.activeElement === element) around.current?.focus({ preventScroll: true });
    };
  }, [around]);
  return (
    <IconButton
      ref={button}
      label={label}
      Icon={X}
      aria-disabled={isStopped || undefined}
      onClick={() => {
        if (!isStopped) onStop();
      }}
      className="aria-disabled:opacity-40"
    />
  );
}
