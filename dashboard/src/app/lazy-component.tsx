import { type ComponentType, type ReactNode, useEffect, useState } from "react";

export type LazyComponent<Props> = ComponentType<Props & { readonly fallback?: ReactNode }> & {
  /** The component itself once it has loaded, which renders the caller again. It loads when `isNeeded`. */
  readonly useLoaded: (isNeeded: boolean) => ComponentType<Props> | undefined;
};

/**
 * A component whose script is loaded when it is first rendered; until then `fallback` is shown.
 * React's `lazy` with Suspense keeps the fallback for at least 300 ms on every first render; this
 * one shows the component as soon as it has loaded.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyComponent<Props> {
  let loading: Promise<ComponentType<Props>> | undefined;
  let loaded: ComponentType<Props> | undefined;
  const startLoading = () => {
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
  function useLoaded(isNeeded: boolean): ComponentType<Props> | undefined {
    const [Loaded, setLoaded] = useState(() => loaded);
    useEffect(() => {
      if (Loaded !== undefined || !isNeeded) return;
      startLoading().then(
        (component) => setLoaded(() => component),
        (error: unknown) =>
          // Thrown while rendering, so that the error boundary catches it.
          setLoaded(() => {
            throw error;
          }),
      );
    }, [Loaded, isNeeded]);
    return Loaded;
  }

  // biome-ignore lint/correctness/noComponentHookFactories: each is created once, when its module loads.
  function LazyWrapper(props: Props & { readonly fallback?: ReactNode }) {
    const Loaded = useLoaded(true);
    return Loaded === undefined ? props.fallback : <Loaded {...props} />;
  }
  return Object.assign(LazyWrapper, { useLoaded });
}
