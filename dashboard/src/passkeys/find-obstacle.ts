/** Why passkeys cannot work on a page. */
export type Obstacle = "address" | "insecure" | "browser";

export interface PageFacts {
  /** The host name in `location`. */
  readonly hostname: string;
  readonly isSecureContext: boolean;
  readonly hasWebAuthn: boolean;
}

/** undefined: they can. */
export function findObstacle(page: PageFacts): Obstacle | undefined {
  if (/^[\d.]+$|^\[/.test(page.hostname)) return "address";
  if (!page.isSecureContext) return "insecure";
  return page.hasWebAuthn ? undefined : "browser";
}

/** The obstacle on this page. */
export const obstacleHere = (): Obstacle | undefined =>
  findObstacle({
    hostname: location.hostname,
    isSecureContext: window.isSecureContext,
    hasWebAuthn: "PublicKeyCredential" in window,
  });
