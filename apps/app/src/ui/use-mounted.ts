import { type RefObject, useEffect, useRef } from 'react';

/** Whether the component is still mounted, for ignoring the results of late async work. */
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
