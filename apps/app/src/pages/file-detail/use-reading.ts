import { type UIEvent, useState } from 'react';

/** Distances in pixels from the top: reading starts below the first, and ends above the second. */
const START_PX = 120;
const END_PX = 40;
/**
 * The minimum scrollable distances in pixels. The compact player makes the scroll container higher, which must not end
 * reading.
 */
const MIN_START_PX = 320;
const MIN_PX = 200;

/** Returns whether the page is scrolled down, so that its bars leave space for reading, with the scroll handler. */
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
