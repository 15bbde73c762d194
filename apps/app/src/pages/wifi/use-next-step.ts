import { useEffect } from 'react';
import { useNavigateTo } from '../../page-kit/navigation.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { TransferState } from '../../ports/transfer.ts';

/** Returns the page for a transfer's state, or null if the state has no page. */
function pageFor(status: TransferState['status']): string | null {
  if (status === 'transferring') return paths.newTransmission;
  if (status === 'ended') return paths.wifiTransmissionDetail;
  return null;
}

/** Redirects to the page for the transfer's state once that is no longer `expectedStatus`. */
export function useNextStep(expectedStatus: TransferState['status']): TransferState {
  const state = useStore(useServices().recorder.transfer.state);
  const navigateTo = useNavigateTo();
  const { status } = state;
  const next = status === expectedStatus ? null : pageFor(status);
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigates once per step.
  useEffect(() => {
    if (next) void navigateTo(next, { replace: true });
  }, [next]);
  return state;
}
