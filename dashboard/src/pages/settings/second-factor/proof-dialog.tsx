import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { SecondFactorProof } from "../../../../../sdk/src/holdall.ts";
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx";
import { signInErrorText } from "../../sign-in/sign-in-error-text.ts";
import { codeError, givenPasswordError } from "../../sign-in/validate-credentials.ts";
import { ProofCodeField, ProofPasswordField } from "../proof-fields.tsx";

export interface ProofDialogProps<Result> {
  readonly title: string;
  readonly submitLabel: string;
  /** A text above the fields that says what the dialog does. */
  readonly children: ReactNode;
  readonly codeHint?: string;
  readonly send: (proof: SecondFactorProof) => Promise<Result>;
  readonly onClose: () => void;
  readonly onDone: (result: Result) => void;
}

/** Asks for the password and a code, then changes two-step sign-in. */
export function ProofDialog<Result>(props: ProofDialogProps<Result>) {
  const { title, submitLabel, children, codeHint, send, onClose, onDone } = props;
  const [currentPassword, setCurrent] = useState("");
  const [code, setCode] = useState("");
  const [submitted, setSubmitted] = useState(false);
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: () => send({ currentPassword, code }),
    meta: { handlesUnauthorized: true },
    onSuccess: async (result) => {
      onDone(result);
      await client.invalidateQueries({ queryKey: ["second-factor"] });
    },
  });
  const errors = { password: givenPasswordError(currentPassword), code: codeError(code) };
  const isValid = errors.password === undefined && errors.code === undefined;
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      onSubmit={() => {
        setSubmitted(true);
        if (isValid) change.mutate();
      }}
      submitLabel={submitLabel}
      busy={change.isPending}
      errorText={change.error ? signInErrorText(change.error) : undefined}
    >
      <div className="flex flex-col gap-3 text-muted">{children}</div>
      <ProofCodeField
        hint={codeHint}
        value={code}
        error={submitted ? errors.code : undefined}
        onChange={(event) => setCode(event.target.value)}
      />
      <ProofPasswordField
        value={currentPassword}
        error={submitted ? errors.password : undefined}
        onChange={(event) => setCurrent(event.target.value)}
      />
    </FormDialog>
  );
}
