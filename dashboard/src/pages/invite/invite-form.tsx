import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { peopleOf } from "../../../../sdk/src/people.ts";
import { holdall, isStatus } from "../../app/client.ts";
import { enter } from "../../app/session.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Field } from "../../components/fields/field.tsx";
import { PasswordField } from "../../components/fields/password-field.tsx";
import { Notice } from "../../components/notice.tsx";
import { signInErrorText } from "../sign-in/sign-in-error-text.ts";
import { emailError, newPasswordError } from "../sign-in/validate-credentials.ts";

export interface InviteFormProps {
  readonly token: string;
  /** The invitation was used up meanwhile. */
  readonly onGone: () => void;
}

/** Accepts an invitation with an email address and a password, which signs in. */
export function InviteForm({ token, onGone }: InviteFormProps) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [submitted, setSubmitted] = useState(false);
  const errors = { email: emailError(email), password: newPasswordError(password) };
  const isValid = errors.email === undefined && errors.password === undefined;
  const accept = useMutation({
    mutationFn: () => peopleOf(holdall).acceptInvite({ token, email, password }),
    meta: { handlesUnauthorized: true },
    onSuccess: ({ role }) => enter("/files", role),
    onError: (error) => {
      if (isStatus(error, 410)) onGone();
    },
  });
  return (
    <Card className="p-6">
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          setSubmitted(true);
          if (isValid && !accept.isPending) accept.mutate();
        }}
      >
        <Field
          label="Email address"
          type="email"
          name="email"
          autoComplete="username"
          hint="You sign in with it. No mail is sent."
          autoFocus
          required
          value={email}
          error={submitted ? errors.email : undefined}
          onChange={(event) => setEmail(event.target.value)}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="new-password"
          hint="At least 8 characters. A few words work well."
          required
          value={password}
          error={submitted ? errors.password : undefined}
          onChange={(event) => setPassword(event.target.value)}
        />
        {accept.error && <Notice tone="bad">{signInErrorText(accept.error)}</Notice>}
        <Button type="submit" variant="primary" size="lg" busy={accept.isPending}>
          Create account
        </Button>
      </form>
    </Card>
  );
}
