import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { LinkObject } from "../../../sdk/src/holdall.ts";
import { holdall } from "../app/connection/client.ts";
import { settingsQuery } from "../app/session/settings-query.ts";
import { limitsOf, refreshLinks } from "./find-link.ts";
import { changedOptions, draftOf, isValid, type LinkDraft, validateDraft } from "./link-draft.ts";

/** The form of an existing link, whose URL stays. `onSaved` gets the link as it is then. */
export function useEditLink(link: LinkObject, onSaved: (link: LinkObject) => void) {
  const settings = useQuery(settingsQuery).data;
  const [before, setBefore] = useState(() => draftOf(link, new Date()));
  const [draft, setDraft] = useState(before);
  const [submitted, setSubmitted] = useState(false);
  const errors = validateDraft(draft, before, new Date());
  const changes = changedOptions(draft, before, link.kind, new Date());
  // The form also shows errors that change nothing yet, such as a missing password.
  const isChanged = Object.keys(changes).length > 0 || !isValid(errors);
  const save = useMutation({
    mutationFn: () => holdall.links.change(link.id, changes),
    onSuccess: async (saved) => {
      const next = draftOf(saved, new Date());
      setBefore(next);
      setDraft(next);
      setSubmitted(false);
      onSaved(saved);
      await refreshLinks();
    },
  });
  return {
    draft,
    limits: settings === undefined ? undefined : limitsOf(settings),
    errors: submitted ? errors : {},
    isChanged,
    isPending: save.isPending,
    error: save.error,
    edit(next: LinkDraft) {
      save.reset();
      setDraft(next);
    },
    submit() {
      setSubmitted(true);
      if (isValid(errors) && isChanged && !save.isPending) save.mutate();
    },
  };
}
