import { type ReactNode, useEffect, useRef } from "react";
import { UrlField } from "../components/fields/url-field.tsx";

export interface CreatedUrlProps {
  readonly label: string;
  readonly url: string;
  readonly isCopied: boolean;
  /** How long it works. */
  readonly children?: ReactNode;
}

/** A new URL, with the focus on its copy button, where Enter does not create another one. */
export function CreatedUrl({ label, url, isCopied, children }: CreatedUrlProps) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => ref.current?.querySelector("button")?.focus(), []);
  return (
    <div ref={ref} className="flex flex-col gap-2">
      <p role="status" className="text-sm">
        <strong className="font-medium">
          {label} {isCopied ? "created and copied." : "created."}
        </strong>{" "}
        {children}
      </p>
      <UrlField label={label} url={url} />
    </div>
  );
}
