import { type RefObject, useEffect, useRef } from 'react';

/** Tracks whether the component is mounted, so that late async results can be ignored. */
export function useMounted(): RefObject<boolean> {
  const mounted = useRef(true);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);
  return mounted;
}
