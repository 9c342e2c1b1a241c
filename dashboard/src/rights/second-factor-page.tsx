import { useQuery } from "@tanstack/react-query";
import { instanceName } from "../app/brand.ts";
import { holdall, queryClient } from "../app/connection/client.ts";
import { useSignOut } from "../app/session/session.ts";
import { Button } from "../components/button.tsx";
import { Card } from "../components/card.tsx";
import { CenteredPage } from "../components/centered-page.tsx";
import { PasskeyPanel } from "../pages/settings/passkeys/passkey-panel.tsx";
import { SecondFactorPanel } from "../pages/settings/second-factor/second-factor-panel.tsx";

/** Takes the place of every page while the account needs a second factor and has none. */
export function SecondFactorPage() {
  const signOut = useSignOut();
  const { data } = useQuery({
    queryKey: ["second-factor"],
    queryFn: ({ signal }) => holdall.account.secondFactor({ signal }),
  });
  const isOn = data !== undefined && data.enabledAt !== null;
  const name = instanceName === "Holdall" ? "This instance" : instanceName;
  return (
    <CenteredPage
      title="Protect your account first"
      description={`${name} requires a second factor or a passkey for every account.`}
    >
      <Card className="flex flex-col gap-4 p-6">
        <h2 className="font-semibold">Two-step sign-in</h2>
        <SecondFactorPanel />
        {isOn && (
          <Button
            variant="primary"
            size="lg"
            onClick={() => void queryClient.invalidateQueries({ queryKey: ["session"] })}
          >
            Continue
          </Button>
        )}
      </Card>
      {!isOn && (
        <Card className="flex flex-col gap-4 p-6">
          <h2 className="font-semibold">Or a passkey</h2>
          <p className="text-muted text-sm">Then sign out, and sign in with the passkey.</p>
          <PasskeyPanel />
        </Card>
      )}
      <Button variant="quiet" onClick={() => signOut.mutate()}>
        Sign out
      </Button>
    </CenteredPage>
  );
}
