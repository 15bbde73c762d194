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

/** Which audio may move between this phone and the cloud, by membership, settings and network. */
export type CloudPolicies = {
  readonly upload: () => CloudPolicy;
  readonly download: () => DownloadPolicy;
  /** Why recordings are not uploaded automatically; null when they are. */
  readonly pauseReason: () => PendingWork['uploadPause'];
  /** Whether imports are transcribed automatically, and so use transcription minutes. */
  readonly importsUseMinutes: () => boolean;
};

export function createCloudPolicies(options: CloudPoliciesOptions): CloudPolicies {
  const { account, settings, facts, network, isCaughtUp, language } = options;

  /** Every account is a member where the server does not bill. */
  const hasMembership = () =>
    facts()?.billing === 'off' ||
    isMember(account.membership.get(), account.state.get(), new Date());

  const isRecognised = () =>
    facts()?.languages.some((each) => each.language === language()) === true;

  /** Members' recordings are uploaded and transcribed automatically; nothing moves until the settings are read. */
  function upload(): CloudPolicy {
    const cloud = settings.cloud();
    const isAutomatic = hasMembership() && cloud?.autoSync === true;
    return {
      upload: isAutomatic && settings.save().cloudSave === 1,
      transcribe: isAutomatic && isRecognised() ? language() : null,
      maySend: cloud !== null && !(cloud.wifiOnly && network.get() === 'mobile'),
    };
  }

  return {
    upload,
    // The server's setting must be known: another phone may have changed it.
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
      isRecognised() &&
      facts()?.billing !== 'off',
  };
}
