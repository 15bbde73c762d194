/** Creates the phone apps' platform adapters. */
import { Capacitor } from '@capacitor/core';
import { omiProfile } from '@linnet/omi';
import { pocketProfile } from '@linnet/pocket';
import { createCapacitorFinder } from '@linnet/transports/capacitor-ble';
import i18next from 'i18next';
import { reportError } from '../../features/log.ts';
import type { PlatformAdapters } from '../../features/platform.ts';
import { formatPercentage } from '../../i18n/format.ts';
import { handleBackGesture } from './back.ts';
import { createPhoneFileSharing, onFilesShared, readSharedFiles } from './files.ts';
import { watchPhoneNetwork } from './network.ts';
import { createRecorderNetworks } from './networks.ts';
import { clearNotifications, createPhoneNotifications } from './notifications.ts';
import { openSecureStorage } from './secure-storage.ts';
import { keepRunning, type TransferTexts } from './transfers.ts';

const texts: TransferTexts = {
  channel: () => i18next.t('transfers'),
  title(transfer, percent) {
    const progress = { percent: formatPercentage(percent, i18next.language) };
    if (transfer.step === 'record') {
      return i18next.t(
        transfer.source === 'microphone' ? 'microphoneRecording' : 'state.recording',
      );
    }
    return transfer.step === 'fetch'
      ? i18next.t('state.fetching', progress)
      : i18next.t('state.uploading', progress);
  },
};

export { clearNotifications, createPhoneFileSharing, openSecureStorage };

export async function createPhoneAdapters(): Promise<PlatformAdapters> {
  handleBackGesture().catch(reportError);
  return {
    finders: () => new Map([['capacitor-ble', createCapacitorFinder([omiProfile, pocketProfile])]]),
    networks: createRecorderNetworks(reportError),
    notifications: await createPhoneNotifications({
      platform: Capacitor.getPlatform() === 'ios' ? 'ios' : 'android',
      channelName: () => i18next.t('notifications.title'),
      onError: reportError,
    }),
    network: watchPhoneNetwork(reportError),
    fileSharing: createPhoneFileSharing(),
    sharedFiles: readSharedFiles,
    onShared: onFilesShared,
    keepRunning: (progress) => keepRunning(progress, texts, reportError),
  };
}
