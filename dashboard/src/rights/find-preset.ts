/** The preset with exactly these actions, in any order. */
export const findPreset = <Action, Preset extends { readonly actions: readonly Action[] }>(
  presets: readonly Preset[],
  actions: readonly Action[],
): Preset | undefined =>
  presets.find(
    (each) =>
      each.actions.length === actions.length && each.actions.every((one) => actions.includes(one)),
  );
