import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { holdall, isStatus } from "../../app/connection/client.ts";
import { enter } from "../../app/session/session.ts";
import { Field } from "../../components/fields/field.tsx";
import { NO_CREDENTIALS } from "./credential-fields.tsx";
import { CredentialForm } from "./credential-form.tsx";
import { signInErrorText } from "./sign-in-error-text.ts";
import { codeError, credentialErrors } from "./validate-credentials.ts";

/** Signs in, then opens the path `to`. */
export function SignInForm({ to }: { readonly to: string }) {
  const [credentials, setCredentials] = useState(NO_CREDENTIALS);
  const [code, setCode] = useState("");
  const [needsCode, setNeedsCode] = useState(false);
  const [submitted, setSubmitted] = useState(false);
  const errors = credentialErrors(credentials, "given");
  const wrongCode = needsCode ? codeError(code) : undefined;
  const isValid = Object.keys(errors).length === 0 && wrongCode === undefined;
  const signIn = useMutation({
    mutationFn: () =>
      holdall.account.signIn({ ...credentials, code: needsCode ? code : undefined }),
    meta: { handlesUnauthorized: true },
    onError: (error) => {
      if (needsCode || !isStatus(error, 403)) return;
      setNeedsCode(true);
      setSubmitted(false);
    },
    onSuccess: ({ role }) => enter(to, role),
  });

  return (
    <CredentialForm
      kind="given"
      value={credentials}
      onChange={setCredentials}
      errors={submitted ? errors : {}}
      submitLabel="Sign in"
      busy={signIn.isPending}
      errorText={
        signIn.error && !isStatus(signIn.error, 403) ? signInErrorText(signIn.error) : undefined
      }
      onSubmit={() => {
        setSubmitted(true);
        if (isValid && !signIn.isPending) signIn.mutate();
      }}
    >
      {needsCode && (
        <Field
          label="Code"
          hint="From your authenticator app, or a recovery code."
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          autoFocus
          required
          value={code}
          error={submitted ? wrongCode : undefined}
          onChange={(event) => setCode(event.target.value)}
        />
      )}
    </CredentialForm>
  );
}
