/** Decides what is uploaded, transcribed and downloaded automatically, based on membership, settings and network. */
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
  /** Returns the facts that the server last reported; null before its first response. */
  readonly facts: () => Pick<ServerFacts, 'billing' | 'languages'> | null;
  readonly network: Pick<Store<NetworkKind>, 'get'>;
  /** Returns whether all changes on the server have been read since the sign-in. */
  readonly isCaughtUp: () => boolean;
  /** Returns the language of the interface as a BCP-47 tag. */
  readonly language: () => string;
};

export type CloudPolicies = {
  readonly upload: () => CloudPolicy;
  readonly download: () => DownloadPolicy;
  /** Returns the reason why automatic uploads are paused; null if they are not. */
  readonly pauseReason: () => PendingWork['uploadPause'];
  /** Returns whether imports are transcribed automatically and use minutes of the balance. */
  readonly importsUseMinutes: () => boolean;
};

export function createCloudPolicies(options: CloudPoliciesOptions): CloudPolicies {
  const { account, settings, facts, network, isCaughtUp, language } = options;

  /** Every account counts as a member on servers without billing. */
  const hasMembership = () =>
    facts()?.billing === 'off' ||
    isMember(account.membership.get(), account.state.get(), new Date());

  const isLanguageSupported = () =>
    facts()?.languages.some(({ language: supported }) => supported === language()) === true;

  /** Returns the policy for uploads. Nothing may be sent before the settings have been loaded. */
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
    // Wait for the changes from the server, because another phone may have changed the setting.
    download: () => ({
      all: isCaughtUp() && settings.save().appSave === 1,
      mayReceive: upload().maySend,
    }),
    pauseReason() {
      if (!hasMembership()) return 'not_member';
      if (settings.save().cloudSave === 0) return 'cloud_off';
      return settings.cloud()?.autoSync === false ? 'switched_off' : null;
    },
    // Automatic transcription is turned on by default, so it is assumed to be on until the settings are loaded.
    importsUseMinutes: () =>
      hasMembership() &&
      settings.cloud()?.autoSync !== false &&
      isLanguageSupported() &&
      facts()?.billing !== 'off',
  };
}
