import { type UIEvent, useState } from 'react';

/** Distance from the top in pixels. Scrolling below it turns reading mode on. */
const START_PX = 120;
/** Distance from the top in pixels. Scrolling above it turns reading mode off. */
const END_PX = 40;
/** Minimum scrollable distance in pixels for turning reading mode on. */
const MIN_START_PX = 320;
/**
 * Minimum scrollable distance in pixels in reading mode. Smaller, because the compact player enlarges the scroll
 * container, which must not turn reading mode off.
 */
const MIN_PX = 200;

/**
 * Returns whether reading mode is on, and the scroll handler. In reading mode, while the page is scrolled down, its
 * bars shrink to show more text.
 */
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
