import type { ProgressBoard } from '@linnet/sync';
import type { DenoiserService } from '../ports/denoiser.ts';
import type { FoldersService } from '../ports/folders.ts';
import type { ImportService } from '../ports/imports.ts';
import type { MergingService } from '../ports/merging.ts';
import type { PocketService, PocketState } from '../ports/pocket.ts';
import type { RecorderService } from '../ports/recorder.ts';
import type { Store } from '../ports/store.ts';

export type BusyRuleOptions = {
  readonly recorder: Pick<RecorderService, 'firmware' | 'transfer' | 'link'>;
  readonly progress: ProgressBoard;
  readonly imports: Pick<ImportService, 'state'>;
  readonly folders: Pick<FoldersService, 'folders'>;
  readonly denoiser: Pick<DenoiserService, 'state'>;
  readonly merging: Pick<MergingService, 'progress'>;
  readonly pocket: Pick<PocketService, 'state'>;
};

/** Determines whether restarting the app would interrupt a running operation. */
export type BusyRule = {
  readonly isBusy: () => boolean;
  /** The stores that {@link isBusy} is derived from. */
  readonly sources: readonly Pick<Store<unknown>, 'subscribe'>[];
};

function isTransferring(state: PocketState): boolean {
  return state.status === 'connected' && state.transfer !== null;
}

export function createBusyRule({
  recorder,
  progress,
  imports,
  folders: { folders },
  denoiser,
  merging,
  pocket,
}: BusyRuleOptions): BusyRule {
  const { firmware, transfer, link } = recorder;
  return {
    isBusy: () =>
      ['joining', 'transferring'].includes(transfer.state.get().status) ||
      ['connecting', 'hotspot'].includes(link.get().status) ||
      [...progress.get().values()].some(({ step }) => step !== 'transcribe') ||
      imports.state.get().some(({ state }) => !['failed', 'known'].includes(state.status)) ||
      (folders.get() ?? []).some(({ state }) => state.status === 'importing') ||
      [...denoiser.state.get().values()].some(({ status }) => status === 'working') ||
      merging.progress.get() !== null ||
      isTransferring(pocket.state.get()) ||
      !['idle', 'done', 'failed'].includes(firmware.update.get().status),
    sources: [
      progress,
      imports.state,
      folders,
      denoiser.state,
      merging.progress,
      pocket.state,
      firmware.update,
      transfer.state,
      link,
    ],
  };
}
