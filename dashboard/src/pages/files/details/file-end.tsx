import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/connection/client.ts";
import { Select } from "../../../components/fields/select.tsx";
import { Notice } from "../../../components/notice.tsx";
import { showToast } from "../../../components/toast-store.ts";
import { can } from "../../../rights/rights.ts";
import { END_CHOICES } from "../../../text/end-choices.ts";
import { formatEnd } from "../../../text/format-end.ts";
import { formatFullTimestamp } from "../../../text/timestamp.ts";
import { patchFiles } from "../data/patch-folders.ts";
import { DetailSection } from "./detail-list.tsx";

/** When a file ends, and another time to choose. */
export function FileEnd({ file }: { readonly file: FileObject }) {
  const client = useQueryClient();
  const [chosen, setChosen] = useState("");
  const save = useMutation({
    mutationFn: async (choice: string) => {
      const expiresIn = choice === "never" ? null : Number(choice);
      const changed = await holdall.files.update(file.id, { expiresIn });
      const end = expiresIn === null ? null : new Date(Date.now() + expiresIn * 1000).toISOString();
      return { ...changed, expiresAt: end };
    },
    onSuccess(changed) {
      patchFiles(client, [changed]);
      showToast(changed.expiresAt === null ? "The file does not end." : "End of the file set.");
    },
    onSettled: () => setChosen(""),
  });
  const { expiresAt } = file;
  return (
    <DetailSection title="Lifetime">
      <p className="text-sm">
        {expiresAt
          ? `${formatEnd(expiresAt)}: ${formatFullTimestamp(expiresAt)}. It then moves to the trash.`
          : "The file does not end by itself."}
      </p>
      {can("write") && (
        <Select
          isFilter
          aria-label="Change when the file ends"
          className="self-start"
          value={chosen}
          disabled={save.isPending}
          options={[{ value: "", label: "Change…" }, ...END_CHOICES]}
          onChange={(choice) => {
            setChosen(choice);
            if (choice !== "") save.mutate(choice);
          }}
        />
      )}
      {save.error && <Notice tone="bad">{save.error.message}</Notice>}
    </DetailSection>
  );
}
