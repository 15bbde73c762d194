/** Caches the recordings' languages, because the live text policy can't wait for the database. */
import { merged } from '@linnet/base';
import type { SpokenLanguage } from '@linnet/contract/languages';
import type { RecordStore } from '@linnet/sync';
import { live } from '../../stores.ts';

export type RecordLanguagesOptions = {
  readonly records: Pick<RecordStore, 'languages' | 'subscribe'>;
  /** The signed-in account, or null. */
  readonly uid: () => string | null;
  /** Subscribes to changes to {@link uid}. */
  readonly onUser: (listener: () => void) => () => void;
  readonly onError: (error: unknown) => void;
};

type Languages = ReadonlyMap<string, SpokenLanguage>;

const isSame = (one: Languages, other: Languages) =>
  one.size === other.size && [...one].every(([id, language]) => other.get(id) === language);

export function createRecordLanguages({ records, uid, onUser, onError }: RecordLanguagesOptions) {
  let last: Languages = new Map();
  const languages = live(
    async () => {
      const owner = uid();
      const current = owner === null ? new Map() : await records.languages(owner);
      if (!isSame(current, last)) last = current;
      return last;
    },
    merged(records, { subscribe: onUser }),
    onError,
    uid,
  );
  return {
    /** Returns a recording's own language, or null if it has none. */
    of(recordId: string): SpokenLanguage | null {
      const state = languages.get();
      return state.status === 'ready' ? (state.value.get(recordId) ?? null) : null;
    },
    /** Calls the listener when the language of a recording has changed. */
    subscribe: languages.subscribe,
  };
}
