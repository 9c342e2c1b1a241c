import { type ReactNode, useEffect, useRef } from "react";

/** The panels of work that continues on every page, one above the other. Notifications stay above them. */
export function Corner({ children }: { readonly children: ReactNode }) {
  const corner = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (corner.current === null) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(([entry]) => {
      const height = entry?.borderBoxSize[0]?.blockSize ?? 0;
      style.setProperty("--below-messages", height === 0 ? "0px" : `${height + 8}px`);
    });
    observer.observe(corner.current);
    return () => {
      observer.disconnect();
      style.removeProperty("--below-messages");
    };
  }, []);
  return (
    <div
      ref={corner}
      className="fixed right-2 bottom-2 left-2 z-30 flex max-h-[calc(100dvh-1rem)] flex-col gap-2 sm:left-auto sm:w-104 md:right-4 md:bottom-4"
    >
      {children}
    </div>
  );
}
