import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { SelectField, type SelectFieldProps } from "../fields/select-field.tsx";
import { FormDialog } from "./form-dialog.tsx";

export interface RotateDialogProps<Rotated> {
  /** Name of the thing that gets a new secret. */
  readonly name: string;
  /** The effects of a new secret. */
  readonly children: ReactNode;
  readonly submitLabel: string;
  /** The periods, in seconds, for which the old secret may still work. */
  readonly choices: SelectFieldProps["options"];
  readonly hintOf: (seconds: string) => string;
  /** Something that the new secret ends at once. */
  readonly notice?: ReactNode;
  readonly rotate: (options: { readonly oldSecretExpiresIn: number }) => Promise<Rotated>;
  /** The list to load again. */
  readonly queryKey: readonly string[];
  readonly onClose: () => void;
  readonly onRotated: (rotated: Rotated) => void;
}

/** Gives something a new secret. */
export function RotateDialog<Rotated>(props: RotateDialogProps<Rotated>) {
  const { name, children, submitLabel, choices, hintOf, notice, queryKey } = props;
  const client = useQueryClient();
  const [keepFor, setKeepFor] = useState("86400");
  const rotate = useMutation({
    mutationFn: () => props.rotate({ oldSecretExpiresIn: Number(keepFor) }),
    onSuccess: async (rotated) => {
      props.onRotated(rotated);
      await client.invalidateQueries({ queryKey });
    },
  });
  return (
    <FormDialog
      title={
        <>
          Rotate <bdi>{name}</bdi>
        </>
      }
      submitLabel={submitLabel}
      busy={rotate.isPending}
      errorText={rotate.error?.message}
      onSubmit={rotate.mutate}
      onClose={props.onClose}
    >
      <p className="text-muted">{children}</p>
      <SelectField
        label="Old secret"
        hint={hintOf(keepFor)}
        value={keepFor}
        options={choices}
        onChange={setKeepFor}
      />
      {notice}
    </FormDialog>
  );
}
