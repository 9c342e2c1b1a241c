import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { LinkObject } from "../../../sdk/src/holdall.ts";
import { createLink, type FoundLink, findLink } from "./find-link.ts";
import { linkUrl } from "./link-url.ts";
import type { ShareSubject } from "./share-subject.ts";
import { useCopyCreated } from "./use-copy-created.ts";

export interface ShareLink {
  /** The link that the dialog shows. */
  readonly found: FoundLink | undefined;
  readonly isPending: boolean;
  readonly error: Error | null;
  /** Whether its URL is in the clipboard. */
  readonly isCopied: boolean;
  /** Finds the link of this kind. If there is none and `creates`, makes one. Copies its URL. */
  open(creates: boolean): void;
  copy(): void;
  /** After it was changed or revoked elsewhere. */
  update(link: LinkObject | undefined): void;
}

/** The link of the Share dialog. */
export function useShareLink(subject: ShareSubject, kind: LinkObject["kind"]): ShareLink {
  const [found, setFound] = useState<FoundLink>();
  const [isCopied, copy] = useCopyCreated();
  const find = useMutation({
    mutationFn: async (creates: boolean) =>
      (await findLink(subject, kind)) ?? (creates ? await createLink(subject, kind) : undefined),
    onSuccess: setFound,
  });
  return {
    found,
    isPending: find.isPending,
    error: find.error,
    isCopied,
    open(creates) {
      if (find.isPending) return;
      const finding = find.mutateAsync(creates);
      if (creates) copy(finding.then(urlOf));
      // The dialog shows why it failed.
      else finding.catch(() => {});
    },
    copy() {
      if (found !== undefined) copy(Promise.resolve(found.url));
    },
    update(link) {
      const url = link && linkUrl(link);
      setFound(
        link === undefined || url === undefined
          ? undefined
          : { link, url, isNew: found?.isNew ?? false },
      );
    },
  };
}

function urlOf(found: FoundLink | undefined): string {
  if (found === undefined) throw new Error("There is no link.");
  return found.url;
}
