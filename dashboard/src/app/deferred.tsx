import { type ComponentType, type ReactNode, useEffect, useState } from "react";

export type Deferred<Props> = ComponentType<Props & { readonly fallback?: ReactNode }>;

/**
 * A component whose script is loaded when it is first rendered; until then `fallback` is shown.
 * React's `lazy` with Suspense keeps the fallback for at least 300 ms on every first render; this
 * one shows the component as soon as it has loaded (decision 50).
 */
export function deferred<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): Deferred<Props> {
  let loading: Promise<ComponentType<Props>> | undefined;
  let loaded: ComponentType<Props> | undefined;
  const begin = () => {
    loading ??= load().then(
      (component) => {
        loaded = component;
        return component;
      },
      (error: unknown) => {
        // The next render tries again.
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };

  // biome-ignore lint/correctness/noComponentHookFactories: each is created once, when its module loads.
  return function DeferredComponent(props: Props & { readonly fallback?: ReactNode }) {
    const [Shown, setShown] = useState(() => loaded);
    useEffect(() => {
      if (Shown !== undefined) return;
      begin().then(
        (component) => setShown(() => component),
        (error: unknown) =>
          // Thrown while rendering, so that the error boundary catches it.
          setShown(() => {
            throw error;
          }),
      );
    }, [Shown]);
    return Shown === undefined ? props.fallback : <Shown {...props} />;
  };
}
