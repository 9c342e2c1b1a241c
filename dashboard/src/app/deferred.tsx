import { type ComponentType, type ReactNode, useEffect, useState } from "react";

export type Deferred<Props> = ComponentType<Props & { readonly fallback?: ReactNode }>;

/**
 * A component whose script is fetched when it is first shown; until then `fallback` stands in its
 * place. React's own way to do this shows what has come no sooner than a third of a second after
 * the fallback, on every visit; this one shows it at once.
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
        // Whoever asks again may have more luck.
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };

  // biome-ignore lint/correctness/noComponentHookFactories: each is made once, with its module.
  return function DeferredComponent(props: Props & { readonly fallback?: ReactNode }) {
    const [Shown, setShown] = useState(() => loaded);
    useEffect(() => {
      if (Shown !== undefined) return;
      begin().then(
        (component) => setShown(() => component),
        (error: unknown) =>
          // Thrown while rendering, so that the boundary around shows it.
          setShown(() => {
            throw error;
          }),
      );
    }, [Shown]);
    return Shown === undefined ? props.fallback : <Shown {...props} />;
  };
}
