import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { holdall, isStatus } from "../../app/client.ts";
import { enter } from "../../app/session.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Field } from "../../components/fields/field.tsx";
import { Notice } from "../../components/notice.tsx";
import { CredentialFields, NO_CREDENTIALS } from "./credential-fields.tsx";
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
    <Card className="p-6">
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          setSubmitted(true);
          if (isValid && !signIn.isPending) signIn.mutate();
        }}
      >
        <CredentialFields
          kind="given"
          value={credentials}
          onChange={setCredentials}
          errors={submitted ? errors : {}}
        />
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
        {signIn.error && !isStatus(signIn.error, 403) && (
          <Notice tone="bad">{signInErrorText(signIn.error)}</Notice>
        )}
        <Button type="submit" variant="primary" size="lg" busy={signIn.isPending}>
          Sign in
        </Button>
      </form>
    </Card>
  );
}
