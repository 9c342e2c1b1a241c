import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { holdall } from "../../app/connection/client.ts";
import { Button } from "../../components/button.tsx";
import { PasswordField } from "../../components/fields/password-field.tsx";
import { Notice } from "../../components/notice.tsx";
import { showToast } from "../../components/toast-store.ts";
import { formatCount } from "../../text/format-count.ts";
import { signInErrorText } from "../sign-in/sign-in-error-text.ts";
import { givenPasswordError, newPasswordError } from "../sign-in/validate-credentials.ts";
import { PASSKEYS_KEY } from "./passkeys/use-passkeys.ts";
import { useUnsavedInputGuard } from "./setting-drafts.ts";

export function PasswordForm() {
  const [currentPassword, setCurrent] = useState("");
  const [newPassword, setNew] = useState("");
  const [submitted, setSubmitted] = useState(false);
  const errors = {
    current: givenPasswordError(currentPassword),
    next: newPasswordError(newPassword),
  };
  const isValid = errors.current === undefined && errors.next === undefined;
  useUnsavedInputGuard("password", currentPassword !== "" || newPassword !== "");
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: () => holdall.account.changePassword({ currentPassword, newPassword }),
    meta: { handlesUnauthorized: true },
    onSuccess: async () => {
      setCurrent("");
      setNew("");
      setSubmitted(false);
      const passkeys = client.getQueryData<readonly unknown[]>(PASSKEYS_KEY)?.length ?? 0;
      showToast(
        `Password changed. You're signed out everywhere else.${
          passkeys > 0 ? ` ${formatCount(passkeys, "passkey")} can still sign in.` : ""
        }`,
      );
      await client.invalidateQueries({ queryKey: ["sessions"] });
    },
  });
  return (
    <form
      noValidate
      className="flex max-w-sm flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        setSubmitted(true);
        if (isValid && !change.isPending) change.mutate();
      }}
    >
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        required
        value={currentPassword}
        error={submitted ? errors.current : undefined}
        onChange={(event) => setCurrent(event.target.value)}
      />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        hint="At least 8 characters."
        required
        value={newPassword}
        error={submitted ? errors.next : undefined}
        onChange={(event) => setNew(event.target.value)}
      />
      {change.error && <Notice tone="bad">{signInErrorText(change.error)}</Notice>}
      <div>
        <Button type="submit" busy={change.isPending}>
          Change password
        </Button>
      </div>
    </form>
  );
}
