import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

const scrollKeys = new Set(['PageUp', 'PageDown', 'Home', 'End', 'ArrowUp', 'ArrowDown']);

/**
 * Keeps the spoken paragraph in view during playback until the user scrolls.
 * @param spoken index of the spoken paragraph; -1 for none
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
    const away = () => setFollowing(false);
    const onKey = (event: KeyboardEvent) => {
      const target = event.target instanceof Element ? event.target : null;
      if (scrollKeys.has(event.key) && !target?.closest('textarea, input, [role="slider"]')) away();
    };
    // A pointer event on the element itself is on its scroll bar. Its content covers everything else.
    const onPointer = (event: PointerEvent) => event.target === element && away();
    element.addEventListener('wheel', away, { passive: true });
    element.addEventListener('touchmove', away, { passive: true });
    element.addEventListener('keydown', onKey);
    element.addEventListener('pointerdown', onPointer);
    return () => {
      element.removeEventListener('wheel', away);
      element.removeEventListener('touchmove', away);
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
  // Playback always starts with following enabled.
  useEffect(() => {
    if (playing) setFollowing(true);
  }, [playing]);
  useEffect(() => {
    if (playing && following && spoken >= 0) latest.current.reveal(spoken);
  }, [spoken, playing, following]);
  return { following, follow, stopFollowing };
}
