/** Returns a function that says whether the browser is to ask before the dashboard is left. */
export function createLeaveGuard(): (isOn: boolean) => void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  return (isOn) => {
    if (isOn) window.addEventListener("beforeunload", ask);
    else window.removeEventListener("beforeunload", ask);
  };
}
