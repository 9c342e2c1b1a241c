import { useEffect, useState } from "react";

/** The seconds until something continues. A live region announces it once, without the seconds that pass. */
export function Countdown({ until }: { readonly until: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(1, Math.ceil((until - now) / 1_000));
  return (
    <>
      <span aria-hidden>Continuing in {seconds} s.</span>
      <span className="sr-only">Continuing shortly.</span>
    </>
  );
}
