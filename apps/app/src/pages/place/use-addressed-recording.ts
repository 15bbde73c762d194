import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { useServices, useStore } from '../../page-kit/services-context.ts';

/** Returns the recording identified in the URL. */
export function useAddressedRecording() {
  const { library } = useServices();
  const [parameters] = useSearchParams();
  const id = parameters.get('id') ?? '';
  return useStore(useMemo(() => library.record(id), [library, id]));
}
