import { useCallback, useEffect, useRef } from 'react';

/**
 * Ends an in-place edit exactly once. If the field disappears first, for example because Back removes it without a blur
 * event, the text is saved.
 * @param save saves the text and ends the edit
 * @returns a function that runs the action ending the edit, unless the edit has already ended
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
      // In development, React's strict mode unmounts each new component and immediately mounts it again.
      queueMicrotask(() => {
        if (!isMounted.current) endOnce(latestSave.current);
      });
    };
  }, [endOnce]);
  return endOnce;
}
