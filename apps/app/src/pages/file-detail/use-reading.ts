import { type UIEvent, useState } from 'react';

/** Distances from the top in pixels: scrolling below the first starts reading, scrolling above the second ends it. */
const START_PX = 120;
const END_PX = 40;
/**
 * Minimum scrollable distances in pixels. The compact player makes the scroll container taller, which must not end
 * reading.
 */
const MIN_START_PX = 320;
const MIN_PX = 200;

/** Returns whether the page is scrolled down, in which case its bars make room for reading, and the scroll handler. */
export function useReading() {
  const [isReading, setIsReading] = useState(false);
  const onScroll = ({ currentTarget }: UIEvent<HTMLElement>) => {
    const { scrollTop, scrollHeight, clientHeight } = currentTarget;
    const distance = scrollHeight - clientHeight;
    setIsReading((was) =>
      was
        ? distance > MIN_PX && scrollTop > END_PX
        : distance > MIN_START_PX && scrollTop > START_PX,
    );
  };
  return { isReading, onScroll };
}
