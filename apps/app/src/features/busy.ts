import type { ProgressBoard } from '@linnet/sync';
import type { CleanerService } from '../ports/cleaner.ts';
import type { ImportService } from '../ports/imports.ts';
import type { RecorderService } from '../ports/recorder.ts';
import type { Store } from '../ports/store.ts';

export type BusyRuleOptions = {
  readonly recorder: Pick<RecorderService, 'firmware' | 'transfer' | 'link'>;
  readonly progress: ProgressBoard;
  readonly imports: Pick<ImportService, 'state'>;
  readonly cleaner: Pick<CleanerService, 'state'>;
};

/** Whether something is in progress that a restart of the app would interrupt. */
export type BusyRule = {
  readonly isBusy: () => boolean;
  /** The stores {@link isBusy} is derived from. */
  readonly sources: readonly Pick<Store<unknown>, 'subscribe'>[];
};

export function createBusyRule({
  recorder,
  progress,
  imports,
  cleaner,
}: BusyRuleOptions): BusyRule {
  const { firmware, transfer, link } = recorder;
  return {
    isBusy: () =>
      ['joining', 'moving'].includes(transfer.state.get().status) ||
      ['connecting', 'hotspot'].includes(link.get().status) ||
      [...progress.get().values()].some(({ step }) => step !== 'transcribe') ||
      imports.state.get().some(({ state }) => state.status !== 'failed') ||
      [...cleaner.state.get().values()].some((each) => each.status === 'working') ||
      !['idle', 'done', 'failed'].includes(firmware.update.get().status),
    sources: [progress, imports.state, cleaner.state, firmware.update, transfer.state, link],
  };
}
