import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/**
 * Returns a list's scroll container, and the list's offset inside it in pixels, which changes with the content above
 * the list.
 */
export function useScroller(list: RefObject<HTMLElement | null>) {
  const scroller = useRef<HTMLElement | null>(null);
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const element = list.current;
    const outerScroller = element?.closest<HTMLElement>('.detail-scroll');
    if (!element || !outerScroller) return;
    scroller.current = outerScroller;
    const measure = () => {
      const contentAbove =
        element.getBoundingClientRect().top - outerScroller.getBoundingClientRect().top;
      setMargin(Math.round(contentAbove + outerScroller.scrollTop));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(outerScroller);
    for (const each of outerScroller.children) observer.observe(each);
    return () => observer.disconnect();
  }, [list]);
  return { scroller, margin };
}
