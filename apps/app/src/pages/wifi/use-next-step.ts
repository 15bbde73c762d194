import { useEffect } from 'react';
import { useNavigateTo } from '../../page-kit/navigation.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { TransferState } from '../../ports/transfer.ts';

/** Redirects to the page for the transfer's state when it differs from `shown`. */
export function useNextStep(shown: TransferState['status']): TransferState {
  const state = useStore(useServices().recorder.transfer.state);
  const navigateTo = useNavigateTo();
  const { status } = state;
  const next =
    status === shown
      ? null
      : status === 'moving'
        ? paths.newTransmission
        : status === 'ended'
          ? paths.wifiTransmissionDetail
          : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigates once per step.
  useEffect(() => {
    if (next) void navigateTo(next, { replace: true });
  }, [next]);
  return state;
}
