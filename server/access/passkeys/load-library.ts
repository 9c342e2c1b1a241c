/**
 * The library that verifies responses of browsers. It is loaded with the first of them, because
 * from the sources it takes 25 MB of memory and a fifth of a second.
 */
export async function loadLibrary() {
  // One of its dependencies needs this first. In a bundle, its own import of it comes too late.
  await import("reflect-metadata");
  return {
    ...(await import("@simplewebauthn/server")),
    ...(await import("@simplewebauthn/server/helpers")),
  };
}
