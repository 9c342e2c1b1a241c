import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { holdall } from "../../app/connection/client.ts";
import { useSession } from "../../app/session/session.ts";
import { createStore, useStore } from "../../app/store.ts";
import { Button } from "../../components/button.tsx";
import { Field } from "../../components/fields/field.tsx";
import { Notice } from "../../components/notice.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { showToast } from "../../components/toast-store.ts";
import { formatFullTimestamp, formatTimestampClause } from "../../text/timestamp.ts";
import { signInErrorText } from "../sign-in/sign-in-error-text.ts";
import { emailError, givenPasswordError } from "../sign-in/validate-credentials.ts";
import { ProofPasswordField } from "./proof-fields.tsx";
import { useUnsavedGuard } from "./setting-drafts.ts";

/* Outside the page, so that the input is still there after a look at another page. */
const draft = createStore<string | undefined>(undefined);

/** Shows and changes the account's email address. */
export function EmailForm() {
  const { data } = useSession();
  const email = useStore(draft);
  const [currentPassword, setCurrent] = useState("");
  const [submitted, setSubmitted] = useState(false);
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (wanted: string) => holdall.account.changeEmail({ email: wanted, currentPassword }),
    meta: { handlesUnauthorized: true },
    onSuccess: async (account) => {
      draft.set(undefined);
      setCurrent("");
      setSubmitted(false);
      showToast(`You now sign in as ${account.email}.`);
      await client.invalidateQueries({ queryKey: ["session"] });
    },
  });
  const isChanged =
    email !== undefined && data !== undefined && email.trim() !== data.account.email;
  useUnsavedGuard("email", isChanged);
  if (data === undefined) return <Skeleton className="h-16 max-w-sm" />;
  // A change of the address needs the password.
  if (!data.account.hasPassword) return <bdi className="break-all">{data.account.email}</bdi>;

  const errors = {
    email: emailError(email ?? data.account.email),
    password: givenPasswordError(currentPassword),
  };
  const isValid = errors.email === undefined && errors.password === undefined;

  return (
    <form
      noValidate
      className="flex max-w-sm flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        setSubmitted(true);
        if (isChanged && isValid && !change.isPending) change.mutate(email);
      }}
    >
      <Field
        label="Email address"
        type="email"
        autoComplete="username"
        required
        hint={
          <span title={formatFullTimestamp(data.account.createdAt)}>
            Account created {formatTimestampClause(data.account.createdAt)}.
          </span>
        }
        value={email ?? data.account.email}
        error={submitted && isChanged ? errors.email : undefined}
        onChange={(event) => draft.set(event.target.value)}
      />
      {isChanged && (
        <ProofPasswordField
          value={currentPassword}
          error={submitted ? errors.password : undefined}
          onChange={(event) => setCurrent(event.target.value)}
        />
      )}
      {change.error && <Notice tone="bad">{signInErrorText(change.error)}</Notice>}
      <div className="flex gap-2">
        <Button type="submit" busy={change.isPending} disabled={!isChanged}>
          Change email address
        </Button>
        {isChanged && (
          <Button variant="quiet" onClick={() => draft.set(undefined)}>
            Discard
          </Button>
        )}
      </div>
    </form>
  );
}
