import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { SecondFactorProof } from "../../../../../sdk/src/holdall.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { Field } from "../../../components/field.tsx";
import { Notice } from "../../../components/notice.tsx";
import { PasswordField } from "../../../components/password-field.tsx";
import { signInErrorText } from "../../sign-in/sign-in-error-text.ts";
import { codeError, givenPasswordError } from "../../sign-in/validate-credentials.ts";

export interface ProofDialogProps<Result> {
  readonly title: string;
  readonly submitLabel: string;
  /** What it does, above the fields. */
  readonly children: ReactNode;
  readonly codeHint?: string;
  readonly send: (proof: SecondFactorProof) => Promise<Result>;
  readonly onClose: () => void;
  readonly onDone: (result: Result) => void;
}

/** Asks for the password and a code, then changes two-step sign-in. */
export function ProofDialog<Result>(props: ProofDialogProps<Result>) {
  const { title, submitLabel, children, send, onClose, onDone } = props;
  const { codeHint = "From your authenticator app, or a recovery code." } = props;
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
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => {
        setSubmitted(true);
        if (isValid && !change.isPending) change.mutate();
      }}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={change.isPending}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 text-muted">{children}</div>
      <Field
        label="Code"
        hint={codeHint}
        autoComplete="one-time-code"
        spellCheck={false}
        required
        value={code}
        error={submitted ? errors.code : undefined}
        onChange={(event) => setCode(event.target.value)}
      />
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        required
        value={currentPassword}
        error={submitted ? errors.password : undefined}
        onChange={(event) => setCurrent(event.target.value)}
      />
      {change.error && <Notice tone="bad">{signInErrorText(change.error)}</Notice>}
    </Dialog>
  );
}
