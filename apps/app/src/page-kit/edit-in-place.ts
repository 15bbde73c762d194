import { useCallback, useEffect, useRef } from 'react';

/**
 * Ends an edit in place exactly once. If the field is removed before that, for example by Back, which fires no blur
 * event, the text is saved.
 * @param save saves the text and ends the edit
 * @returns runs the action that ends the edit, unless the edit has ended already
 */
export function useEditInPlace(save: () => void): (end: () => void) => void {
  const latestSave = useRef(save);
  latestSave.current = save;
  const hasEnded = useRef(false);
  const endOnce = useCallback((end: () => void) => {
    if (hasEnded.current) return;
    hasEnded.current = true;
    end();
  }, []);
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
      // In development, React's strict mode removes each new component and mounts it again at once.
      queueMicrotask(() => {
        if (!isMounted.current) endOnce(latestSave.current);
      });
    };
  }, [endOnce]);
  return endOnce;
}
