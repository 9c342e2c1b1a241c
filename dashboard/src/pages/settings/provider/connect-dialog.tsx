import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { identitiesOf } from "../../../../../sdk/src/people.ts";
import { holdall, isStatus } from "../../../app/connection/client.ts";
import { providerName } from "../../../app/session/sign-in-methods.ts";
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx";
import { signInErrorText } from "../../sign-in/sign-in-error-text.ts";
import { codeError, givenPasswordError } from "../../sign-in/validate-credentials.ts";
import { ProofCodeField, ProofPasswordField } from "../proof-fields.tsx";

/** Asks for the password, and the code with two-step sign-in, then leaves for the provider. */
export function ConnectDialog({ onClose }: { readonly onClose: () => void }) {
  const [currentPassword, setCurrent] = useState("");
  const [code, setCode] = useState("");
  const [submitted, setSubmitted] = useState(false);
  const factor = useQuery({
    queryKey: ["second-factor"],
    queryFn: ({ signal }) => holdall.account.secondFactor({ signal }),
  });
  const connect = useMutation({
    mutationFn: () =>
      identitiesOf(holdall).connectIdentity({
        currentPassword,
        code: code === "" ? undefined : code,
      }),
    meta: { handlesUnauthorized: true },
    onSuccess: (url) => location.assign(url),
  });
  const needsCode =
    (factor.data !== undefined && factor.data.enabledAt !== null) || isStatus(connect.error, 403);
  const errors = {
    password: givenPasswordError(currentPassword),
    code: needsCode ? codeError(code) : undefined,
  };
  const isValid = errors.password === undefined && errors.code === undefined;
  return (
    <FormDialog
      title={
        <>
          Connect <bdi>{providerName}</bdi>
        </>
      }
      onClose={onClose}
      onSubmit={() => {
        setSubmitted(true);
        if (isValid) connect.mutate();
      }}
      submitLabel="Continue"
      // The page is about to be left.
      busy={connect.isPending || connect.isSuccess}
      errorText={connect.error ? signInErrorText(connect.error) : undefined}
    >
      <p className="text-muted">
        Confirm that it's you, then sign in at <bdi>{providerName}</bdi>. Your account there opens
        this one from then on, without its password and a code.
      </p>
      <ProofPasswordField
        value={currentPassword}
        error={submitted ? errors.password : undefined}
        onChange={(event) => setCurrent(event.target.value)}
      />
      {needsCode && (
        <ProofCodeField
          value={code}
          error={submitted ? errors.code : undefined}
          onChange={(event) => setCode(event.target.value)}
        />
      )}
    </FormDialog>
  );
}
