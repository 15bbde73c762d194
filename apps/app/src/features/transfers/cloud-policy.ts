import type { CloudPolicy, DownloadPolicy } from '@linnet/sync';
import { isMember } from '../../ports/member.ts';
import type { NetworkKind } from '../../ports/network.ts';
import type { PendingWork } from '../../ports/pending-work.ts';
import type { ServerFacts } from '../../ports/server.ts';
import type { Store } from '../../ports/store.ts';
import type { Account } from '../account/account.ts';
import type { StorageSettings } from '../settings/storage-settings.ts';

export type CloudPoliciesOptions = {
  readonly account: Pick<Account['service'], 'membership' | 'state'>;
  readonly settings: Pick<StorageSettings, 'save' | 'cloud'>;
  /** The facts last reported by the server; null before its first answer. */
  readonly facts: () => Pick<ServerFacts, 'billing' | 'languages'> | null;
  readonly network: Pick<Store<NetworkKind>, 'get'>;
  /** Whether all changes on the server have been read since sign-in. */
  readonly isCaughtUp: () => boolean;
  /** The language of the interface, BCP-47. */
  readonly language: () => string;
};

/** Rules for uploads and downloads, by membership, settings and network. */
export type CloudPolicies = {
  readonly upload: () => CloudPolicy;
  readonly download: () => DownloadPolicy;
  /** The reason automatic uploads are paused; null if they are not. */
  readonly pauseReason: () => PendingWork['uploadPause'];
  /** Whether imports are transcribed automatically, and so use transcription minutes. */
  readonly importsUseMinutes: () => boolean;
};

export function createCloudPolicies(options: CloudPoliciesOptions): CloudPolicies {
  const { account, settings, facts, network, isCaughtUp, language } = options;

  /** On servers without billing, every account counts as a member. */
  const hasMembership = () =>
    facts()?.billing === 'off' ||
    isMember(account.membership.get(), account.state.get(), new Date());

  const isLanguageSupported = () =>
    facts()?.languages.some(({ language: supported }) => supported === language()) === true;

  /** Uploads and transcribes members' recordings automatically. Nothing is sent before the settings are read. */
  function upload(): CloudPolicy {
    const cloud = settings.cloud();
    const isAutomatic = hasMembership() && cloud?.autoSync === true;
    return {
      upload: isAutomatic && settings.save().cloudSave === 1,
      transcribe: isAutomatic && isLanguageSupported() ? language() : null,
      maySend: cloud !== null && !(cloud.wifiOnly && network.get() === 'mobile'),
    };
  }

  return {
    upload,
    // Waits for the server's setting, which another phone may have changed.
    download: () => ({
      all: isCaughtUp() && settings.save().appSave === 1,
      mayReceive: upload().maySend,
    }),
    pauseReason() {
      if (!hasMembership()) return 'not_member';
      if (settings.save().cloudSave === 0) return 'cloud_off';
      return settings.cloud()?.autoSync === false ? 'switched_off' : null;
    },
    // Automatic transcription is on by default, so unread settings count as on.
    importsUseMinutes: () =>
      hasMembership() &&
      settings.cloud()?.autoSync !== false &&
      isLanguageSupported() &&
      facts()?.billing !== 'off',
  };
}
