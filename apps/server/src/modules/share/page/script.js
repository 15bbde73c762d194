/** Plays the audio from the paragraph that is tapped, and marks the current one. The page works without it as well. */
const audio = document.querySelector('audio');
const paragraphs = [...document.querySelectorAll('.paragraph')];
let current = null;

/** The audio's clock may be slightly before the position that was requested. */
const TOLERANCE_SECONDS = 0.05;

const startOf = (element) => Number(element.dataset.start);

function isVisible(element) {
  const { top: start, bottom } = element.getBoundingClientRect();
  return bottom > 0 && start < window.innerHeight;
}

/** Marks the paragraph that is being played. Keeps it in view if the reader hasn't scrolled away from it. */
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
  // Playback may be refused, for example if the audio can't be decoded. The error event says so.
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
    // A click that ends a selection of text isn't a tap.
    if (source === null || !window.getSelection().isCollapsed) return;
    playFrom(startOf(source));
  });
}
