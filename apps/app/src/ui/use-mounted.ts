import { type RefObject, useEffect, useRef } from 'react';

/** Whether the component is still on the page: what an answer that comes later leads to is not done elsewhere. */
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
