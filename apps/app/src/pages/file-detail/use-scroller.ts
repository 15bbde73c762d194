import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/**
 * What scrolls a list of the recording's page, and where the list begins in it, in pixels: that moves when
 * anything above the list changes.
 */
export function useScroller(list: RefObject<HTMLElement | null>) {
  const scroller = useRef<HTMLElement | null>(null);
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => {
    const element = list.current;
    const outer = element?.closest<HTMLElement>('.detail-scroll');
    if (!element || !outer) return;
    scroller.current = outer;
    const measure = () => {
      const above = element.getBoundingClientRect().top - outer.getBoundingClientRect().top;
      setMargin(Math.round(above + outer.scrollTop));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(outer);
    for (const each of outer.children) observer.observe(each);
    return () => observer.disconnect();
  }, [list]);
  return { scroller, margin };
}
