import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { LinkObject } from "../../../sdk/src/holdall.ts";
import { holdall } from "../app/client.ts";
import {
  type DraftErrors,
  isValid,
  type LinkDraft,
  newDraft,
  newOptions,
  validateDraft,
} from "./link-draft.ts";
import { linkUrl } from "./link-url.ts";
import { linksKey } from "./links-key.ts";
import { type ShareSubject, subjectIds } from "./share-subject.ts";
import { useCopyCreated } from "./use-copy-created.ts";

export interface CreateLink {
  readonly draft: LinkDraft;
  /** Shown after the first attempt. */
  readonly errors: DraftErrors;
  readonly edit: (draft: LinkDraft) => void;
  readonly submit: () => void;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly created: LinkObject | undefined;
  /** Whether the URL of the created link is in the clipboard. */
  readonly isCopied: boolean;
}

/** The form of a new link. */
export function useCreateLink(subject: ShareSubject, kind: LinkObject["kind"]): CreateLink {
  const client = useQueryClient();
  const [empty] = useState(() => newDraft(new Date()));
  const [draft, setDraft] = useState(empty);
  const [submitted, setSubmitted] = useState(false);
  const [isCopied, copy] = useCopyCreated();
  const errors = validateDraft(draft, empty, new Date());
  const create = useMutation({
    mutationFn: () =>
      holdall.links.create({
        ...subjectIds(subject),
        kind,
        ...newOptions(draft, kind, new Date()),
      }),
    onSuccess: async () => {
      setSubmitted(false);
      await client.invalidateQueries({ queryKey: linksKey });
    },
  });
  const { data } = create;
  return {
    draft,
    errors: submitted ? errors : {},
    edit(next) {
      create.reset();
      setDraft(next);
    },
    submit() {
      setSubmitted(true);
      if (isValid(errors) && !create.isPending) copy(create.mutateAsync().then(urlOf));
    },
    isPending: create.isPending,
    error: create.error,
    created: data?.kind === kind ? data : undefined,
    isCopied,
  };
}

function urlOf(link: LinkObject): string {
  const url = linkUrl(link);
  if (url === undefined) throw new Error("The server does not know the URL of the link.");
  return url;
}
