// Shows the document on the page of a file, or says that the browser cannot show it or play the file, or that the end
// of a picture is missing.

export function watchStage(place) {
  const { failed, viewer, type } = place.dataset;
  // A strip has no room for words.
  if (type !== undefined && place.closest(".strip") === null) checkEnd(place);
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

/** Says so if the end of a picture is missing, which browsers do not. */
function checkEnd(image) {
  const check = () => void addWords(image).catch(() => {});
  if (image.naturalWidth > 0) check();
  else image.addEventListener("load", check, { once: true });
}

async function addWords(image) {
  const read = async (lastBytes) => {
    const url = new URL(image.currentSrc);
    url.searchParams.delete("size");
    const headers = lastBytes === undefined ? {} : { Range: `bytes=-${lastBytes}` };
    const response = await fetch(url, { headers });
    if (!response.ok) throw new Error(`Status ${response.status}`);
    return response;
  };
  const { isCutOff } = await import("./is-cut-off.js");
  if (!(await isCutOff(image, image.dataset.type, read))) return;
  const words = document.createElement("span");
  // Here, because no other page needs it.
  words.style.cssText =
    "position:absolute; inset:auto 0 0; padding:0.5rem; background:var(--sunken); font-size:0.75rem; text-align:center";
  words.textContent = "This picture is damaged: its end is missing.";
  image.closest("a").append(words);
}
