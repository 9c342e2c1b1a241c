import type { KeyboardEvent, ReactNode } from "react";
import { ContentArea } from "./content-area.tsx";

export interface MediaAreaProps {
  readonly label: string;
  readonly className: string;
  /** A video or audio element and its surroundings. */
  readonly children: ReactNode;
}

/**
 * The surroundings of a video or audio element. They have the focus, so that Space plays and arrows
 * go through the files; within the element's own controls, arrows seek.
 */
export function MediaArea({ label, className, children }: MediaAreaProps) {
  const handleKey = (event: KeyboardEvent) => {
    if (event.key !== " " || event.target !== event.currentTarget) return;
    event.preventDefault();
    const media = event.currentTarget.querySelector<HTMLMediaElement>("video, audio");
    if (media === null) return;
    // A file that cannot be played reports that itself.
    if (media.paused) media.play().catch(() => {});
    else media.pause();
  };
  return (
    <ContentArea
      label={`${label}. Press Space to play or pause.`}
      onKeyDown={handleKey}
      className={`min-h-0 flex-1 touch-pinch-zoom bg-side text-ink scheme-dark ${className}`}
    >
      {children}
    </ContentArea>
  );
}
