import type { RecordDetail } from '@linnet/sync';
import i18next from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';
import en from '../../i18n/locales/en.ts';
import type { ExportChoice } from '../../services.ts';
import { records } from '../../workbench/fixtures.ts';
import { createMaker } from './maker.ts';

const [here] = records();
if (!here) throw new Error('the workbench has no recording');
const choice: ExportChoice = {
  ...{ what: 'text', text: 'txt', sound: 'mp3', version: 'original', parts: ['transcript'] },
  ...{ speakers: true, times: true, marked: false, folders: false },
};
const never = () => expect.fail('not needed here');
const maker = createMaker({
  records: { detail: async (id) => (id === here.id ? (here as RecordDetail) : null) },
  uid: () => here.uid,
  client: { call: never },
  audio: { master: never, wave: never },
  workshop: { cleaner: never },
  recode: never,
  onError: never,
});

beforeAll(() => i18next.init({ lng: 'en', resources: { en: { translation: en } } }));

describe('an export of several recordings', () => {
  it('does not take one that is there for the one that was deleted meanwhile', async () => {
    const { signal } = new AbortController();
    const made = await maker.make([here.id, 'deleted'], choice, () => {}, signal);
    expect(made).toEqual({ ok: false, failure: { title: '', code: 'gone' } });
    const printed = await maker.print([here.id, 'deleted'], choice);
    expect(printed).toEqual({ ok: false, failure: { title: '', code: 'gone' } });
  });
});
