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
    const outer = element?.closest<HTMLElement>('.detail-scroll');
    if (!element || !outer) return;
    scroller.current = outer;
    const measure = () => {
      const contentAbove = element.getBoundingClientRect().top - outer.getBoundingClientRect().top;
      setMargin(Math.round(contentAbove + outer.scrollTop));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(outer);
    for (const each of outer.children) observer.observe(each);
    return () => observer.disconnect();
  }, [list]);
  return { scroller, margin };
}
