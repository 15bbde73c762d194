/**
 * Determines which recordings are uploaded, transcribed and downloaded automatically, based on the membership, the
 * settings and the network.
 */
import type { SpokenLanguage } from '@linnet/contract/languages';
import type { CloudPolicy, DownloadPolicy } from '@linnet/sync';
import type { LiveAvailability } from '../../ports/live.ts';
import { isMember } from '../../ports/member.ts';
import type { NetworkKind } from '../../ports/network.ts';
import type { PendingWork } from '../../ports/pending-work.ts';
import type { ServerInfo } from '../../ports/server.ts';
import type { Store } from '../../ports/store.ts';
import type { Account } from '../account/account.ts';
import type { StorageSettings } from '../settings/storage-settings.ts';

export type CloudPoliciesOptions = {
  readonly account: Pick<Account['service'], 'membership' | 'state'>;
  readonly settings: Pick<StorageSettings, 'save' | 'cloud' | 'transcription'>;
  /** Returns the last known server info, or null before the server's first response. */
  readonly serverInfo: () => Pick<ServerInfo, 'billing' | 'languages'> | null;
  readonly network: Pick<Store<NetworkKind>, 'get'>;
  /** Returns whether all of the server's changes have been read since the sign-in. */
  readonly isCaughtUp: () => boolean;
  /** Returns the interface language as a BCP 47 tag. */
  readonly language: () => string;
};

/** Whether recordings in progress have live text, and in which language. */
export type LivePolicy =
  | { readonly status: Exclude<LiveAvailability, 'ready'> }
  | { readonly status: 'ready'; readonly language: SpokenLanguage };

export type CloudPolicies = {
  readonly upload: () => CloudPolicy;
  readonly download: () => DownloadPolicy;
  /** @param recordingLanguage the recording's language setting, or null for the interface language */
  readonly live: (recordingLanguage?: SpokenLanguage | null) => LivePolicy;
  /** Returns why automatic uploads are paused, or null if they aren't. */
  readonly pauseReason: () => PendingWork['uploadPause'];
  /** Returns whether imports are transcribed automatically using minutes from the balance. */
  readonly importsUseMinutes: () => boolean;
};

export function createCloudPolicies(options: CloudPoliciesOptions): CloudPolicies {
  const { account, settings, serverInfo, network, isCaughtUp, language } = options;

  /** On a server without billing, every account counts as a member. */
  const hasMembership = () =>
    serverInfo()?.billing === 'off' ||
    isMember(account.membership.get(), account.state.get(), new Date());

  const isSupported = (tag: string) =>
    serverInfo()?.languages.some(({ language: supported }) => supported === tag) === true;
  const isLanguageSupported = () => isSupported(language());

  /** Returns the upload policy. Nothing may be sent before the settings have loaded. */
  function upload(): CloudPolicy {
    const cloud = settings.cloud();
    const isAutomatic = hasMembership() && cloud?.autoSync === true;
    return {
      upload: isAutomatic && settings.save().cloudSave === 1,
      transcribe: isAutomatic && isLanguageSupported() ? language() : null,
      languages: isAutomatic ? (serverInfo()?.languages.map((each) => each.language) ?? []) : [],
      maySend: cloud !== null && !(cloud.wifiOnly && network.get() === 'mobile'),
    };
  }

  /**
   * Returns the policy for live text. Live text requires automatic uploads, and uses the language that the
   * transcription will use later.
   */
  function live(recordingLanguage: SpokenLanguage | null = null): LivePolicy {
    const setting = settings.transcription();
    if (!settings.cloud() || !setting || !serverInfo()) return { status: 'unknown' };
    if (!setting.live) return { status: 'off' };
    if (!hasMembership()) return { status: 'not_member' };
    const { upload: isUploaded, maySend } = upload();
    if (!isUploaded) return { status: 'off' };
    const spokenLanguage = recordingLanguage ?? language();
    if (!isSupported(spokenLanguage)) return { status: 'unsupported_language' };
    if (!maySend) return { status: 'network_not_allowed' };
    // The server offers this language, so it is one of the contract's languages.
    return { status: 'ready', language: spokenLanguage as SpokenLanguage };
  }

  return {
    upload,
    live,
    // Wait for the server's changes, because another phone may have changed the setting.
    download: () => ({
      all: isCaughtUp() && settings.save().appSave === 1,
      mayReceive: upload().maySend,
    }),
    pauseReason() {
      if (!hasMembership()) return 'not_member';
      if (settings.save().cloudSave === 0) return 'cloud_off';
      return settings.cloud()?.autoSync === false ? 'switched_off' : null;
    },
    // Automatic transcription is on by default, so assume it until the settings have loaded.
    importsUseMinutes: () =>
      hasMembership() &&
      settings.cloud()?.autoSync !== false &&
      isLanguageSupported() &&
      serverInfo()?.billing !== 'off',
  };
}
