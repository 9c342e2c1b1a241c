import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { copyText } from "../text/copy-text.ts";
import { Button } from "./button.tsx";
import { showErrorToast } from "./toast-store.ts";

export interface CopyButtonProps {
  readonly text: string;
  /** Name of the copied text, for screen readers. */
  readonly label: string;
}

export function CopyButton({ text, label }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <Button
      size="sm"
      Icon={copied ? Check : Copy}
      aria-label={copied ? `${label} copied` : `Copy ${label}`}
      onClick={() => copyText(text).then(() => setCopied(true), showErrorToast)}
    >
      {copied ? "Copied" : "Copy"}
    </Button>
  );
}
