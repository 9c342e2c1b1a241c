const contentOf = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? "";

/* In the page, so that nothing of the sign-in page appears or disappears after a request. */

/** Name of the provider with which people sign in; undefined: there is none. */
export const providerName: string | undefined = contentOf("holdall-provider") || undefined;

/** Whether a password signs in. */
export const passwordSignsIn: boolean = contentOf("holdall-password") !== "off";
