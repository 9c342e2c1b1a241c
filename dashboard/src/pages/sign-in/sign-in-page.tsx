import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { holdall } from "../../app/client.ts";
import { goInstead, useQueryText } from "../../app/location.ts";
import { returnPath } from "../../app/return-path.ts";
import { Button } from "../../components/button.tsx";
import { Centred } from "../../components/centred.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { Notice } from "../../components/notice.tsx";
import { SignInForm } from "./sign-in-form.tsx";

export function SignInPage() {
  const to = returnPath(useQueryText());
  const setup = useQuery({
    queryKey: ["setup-state"],
    queryFn: ({ signal }) => holdall.account.setupState({ signal }),
  });
  const session = useQuery({
    queryKey: ["session"],
    queryFn: ({ signal }) => holdall.account.whoAmI({ signal }),
    meta: { ownUnauthorized: true },
  });
  const signedIn = session.isSuccess;
  useEffect(() => {
    if (signedIn) goInstead(to);
  }, [signedIn, to]);

  if (setup.data?.needed) {
    return (
      <Centred
        title="Not set up yet"
        lede={
          <>
            This instance has no account. Open the setup link that the server printed when it
            started: it has <code className="font-mono text-sm">/setup#</code> in it.
          </>
        }
      >
        <CodeBlock
          label="Or choose the account on the server"
          code={[
            "export ADMIN_EMAIL=you@example.com",
            'export ADMIN_PASSWORD="a few words of yours"',
            "npm start",
          ].join("\n")}
        />
      </Centred>
    );
  }
  return (
    <Centred title="Sign in to Holdall">
      {setup.error ? (
        <div className="flex flex-col gap-4">
          <Notice tone="bad">{setup.error.message}</Notice>
          <Button onClick={() => void setup.refetch()} busy={setup.isFetching}>
            Try again
          </Button>
        </div>
      ) : (
        <SignInForm to={to} />
      )}
      <p className="text-center text-muted text-sm">
        Password forgotten? On the server,{" "}
        <code className="font-mono text-xs">holdall admin reset-password</code> sets a new one.
      </p>
    </Centred>
  );
}
