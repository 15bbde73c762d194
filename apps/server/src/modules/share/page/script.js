/** Plays the audio from a tapped paragraph, and marks the current paragraph. The page also works without scripts. */
const audio = document.querySelector('audio');
const paragraphs = [...document.querySelectorAll('.paragraph')];
let current = null;

/** Tolerance for comparing positions: after seeking, the player's time may be slightly before the requested position. */
const TOLERANCE_SECONDS = 0.05;

const startOf = (element) => Number(element.dataset.start);

function isVisible(element) {
  const { top: start, bottom } = element.getBoundingClientRect();
  return bottom > 0 && start < window.innerHeight;
}

/** Marks the paragraph being played. Keeps it in view unless the reader has scrolled away from it. */
function markCurrent() {
  let playing = null;
  for (const paragraph of paragraphs) {
    if (startOf(paragraph) > audio.currentTime + TOLERANCE_SECONDS) break;
    playing = paragraph;
  }
  if (playing === current) return;
  const follows = current !== null && isVisible(current) && !audio.paused;
  current?.removeAttribute('aria-current');
  playing?.setAttribute('aria-current', 'true');
  current = playing;
  if (follows && playing !== null && !isVisible(playing)) {
    playing.scrollIntoView({ block: 'center' });
  }
}

function playFrom(seconds) {
  audio.currentTime = seconds;
  // Ignore the rejection, for example if the audio can't be decoded. The error event reports it.
  audio.play().catch(() => undefined);
}

if (audio !== null) {
  audio.addEventListener('timeupdate', markCurrent);
  audio.addEventListener('seeking', markCurrent);
  audio.addEventListener('error', () => {
    document.getElementById('unplayable').hidden = false;
  });
  document.addEventListener('click', ({ target }) => {
    const source = target.closest('[data-start]');
    // Ignore the click at the end of a text selection.
    if (source === null || !window.getSelection().isCollapsed) return;
    playFrom(startOf(source));
  });
}
