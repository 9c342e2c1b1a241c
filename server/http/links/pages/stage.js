// Shows the document on the page of a file, or says that the browser cannot show it or play the file.

export function watchStage(place) {
  const { failed, viewer } = place.dataset;
  const fail = () => {
    const text = document.createElement("p");
    text.setAttribute("role", "status");
    text.textContent = failed;
    for (const each of place.querySelectorAll("p, video, audio")) each.remove();
    place.classList.remove("film", "sound");
    place.classList.add("empty");
    // A link to the file stays, below the text.
    place.insertBefore(text, place.querySelector("a"));
  };
  const player = place.querySelector("video, audio");
  // A connection that breaks says nothing about the file.
  const failIfUnknown = () => {
    if (player.error?.code !== MediaError.MEDIA_ERR_NETWORK) fail();
  };
  if (player !== null) {
    player.addEventListener("error", failIfUnknown);
    // It may have failed before this script ran.
    if (player.error !== null) failIfUnknown();
  }
  if (viewer === undefined) return;
  import(new URL(viewer, location.href).href)
    .then(({ mount }) => mount(place))
    .then((isShown) => isShown || fail())
    // What the page shows without a script stays.
    .catch(() => {});
}
