import { useState } from "react";
import { copyText } from "../text/copy-text.ts";

/** Copies the URL that a request creates, and says whether it did. Call it during the click. */
export function useCopyCreated(): [isCopied: boolean, copy: (url: Promise<string>) => void] {
  const [isCopied, setCopied] = useState(false);
  return [
    isCopied,
    (url) => {
      setCopied(false);
      // The form shows why a request failed. If the browser refuses to copy, there is still the button.
      copyText(url).then(
        () => setCopied(true),
        () => {},
      );
    },
  ];
}
