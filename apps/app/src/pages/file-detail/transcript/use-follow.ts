import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

const scrollKeys = new Set(['PageUp', 'PageDown', 'Home', 'End', 'ArrowUp', 'ArrowDown']);

/**
 * Keeps the spoken paragraph in view during playback until the user scrolls.
 * @param spoken index of the spoken paragraph, or -1
 * @param reveal scrolls a paragraph into view
 */
export function useFollow(
  scroller: RefObject<HTMLElement | null>,
  spoken: number,
  playing: boolean,
  reveal: (index: number) => void,
): { following: boolean; follow(): void; stopFollowing(): void } {
  const [following, setFollowing] = useState(true);
  const latest = useRef({ spoken, reveal });
  latest.current = { spoken, reveal };

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const stop = () => setFollowing(false);
    const onKey = (event: KeyboardEvent) => {
      const target = event.target instanceof Element ? event.target : null;
      if (scrollKeys.has(event.key) && !target?.closest('textarea, input, [role="slider"]')) stop();
    };
    // The content covers everything except the scroll bar, so a pointer event on the element itself is on the scroll
    // bar.
    const onPointer = (event: PointerEvent) => event.target === element && stop();
    element.addEventListener('wheel', stop, { passive: true });
    element.addEventListener('touchmove', stop, { passive: true });
    element.addEventListener('keydown', onKey);
    element.addEventListener('pointerdown', onPointer);
    return () => {
      element.removeEventListener('wheel', stop);
      element.removeEventListener('touchmove', stop);
      element.removeEventListener('keydown', onKey);
      element.removeEventListener('pointerdown', onPointer);
    };
  }, [scroller]);

  const follow = useCallback(() => {
    setFollowing(true);
    const { spoken, reveal } = latest.current;
    if (spoken >= 0) reveal(spoken);
  }, []);
  const stopFollowing = useCallback(() => setFollowing(false), []);
  // Starting playback turns following on.
  useEffect(() => {
    if (playing) setFollowing(true);
  }, [playing]);
  useEffect(() => {
    if (playing && following && spoken >= 0) latest.current.reveal(spoken);
  }, [spoken, playing, following]);
  return { following, follow, stopFollowing };
}
