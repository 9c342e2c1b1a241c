import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { holdall, isStatus } from "../../app/client.ts";
import { enter } from "../../app/session.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Field } from "../../components/fields/field.tsx";
import { PasswordField } from "../../components/fields/password-field.tsx";
import { Notice } from "../../components/notice.tsx";
import { signInErrorText } from "./sign-in-error-text.ts";
import { codeError, emailError, givenPasswordError } from "./validate-credentials.ts";

/** Signs in, then opens the path `to`. */
export function SignInForm({ to }: { readonly to: string }) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [needsCode, setNeedsCode] = useState(false);
  const [submitted, setSubmitted] = useState(false);
  const errors = {
    email: emailError(email),
    password: givenPasswordError(password),
    code: needsCode ? codeError(code) : undefined,
  };
  const isValid = Object.values(errors).every((error) => error === undefined);
  const signIn = useMutation({
    mutationFn: () =>
      holdall.account.signIn({ email, password, code: needsCode ? code : undefined }),
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
        <Field
          label="Email address"
          type="email"
          name="email"
          autoComplete="username webauthn"
          autoFocus
          required
          value={email}
          error={submitted ? errors.email : undefined}
          onChange={(event) => setEmail(event.target.value)}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          value={password}
          error={submitted ? errors.password : undefined}
          onChange={(event) => setPassword(event.target.value)}
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
            error={submitted ? errors.code : undefined}
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
