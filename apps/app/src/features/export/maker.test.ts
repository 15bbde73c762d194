import type { RecordDetail } from '@linnet/sync';
import i18next from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';
import en from '../../i18n/locales/en/index.ts';
import type { ExportChoice } from '../../ports/exports.ts';
import { records } from '../../workbench/fixtures/recordings.ts';
import { createMaker } from './maker.ts';

const [here] = records();
if (!here) throw new Error('the workbench has no recording');
const choice: ExportChoice = {
  ...{ what: 'text', text: 'txt', sound: 'mp3', version: 'original', parts: ['transcript'] },
  ...{ speakers: true, times: true, marked: false, folders: false },
};
const never = () => expect.fail('not needed here');
const parts = {
  records: { detail: async (id: string) => (id === here.id ? (here as RecordDetail) : null) },
  uid: () => here.uid,
  client: { call: never },
  audio: { master: never, wave: never },
  workshop: { denoised: never },
  recode: never,
  onError: never,
};
const maker = createMaker(parts);

beforeAll(() => i18next.init({ lng: 'en', resources: { en: { translation: en } } }));

describe('an export of several recordings', () => {
  it('reports no title for a recording deleted during the export', async () => {
    const { signal } = new AbortController();
    const made = await maker.make([here.id, 'deleted'], choice, () => {}, signal);
    expect(made).toEqual({ ok: false, failure: { title: '', code: 'gone' } });
    const printed = await maker.print([here.id, 'deleted'], choice);
    expect(printed).toEqual({ ok: false, failure: { title: '', code: 'gone' } });
  });

  it('omits missing audio and lists it in the archive', async () => {
    const other = { ...here, id: 'elsewhere', title: 'Elsewhere', server_id: null } as RecordDetail;
    const both = createMaker({
      ...parts,
      records: { detail: async (id) => (id === other.id ? other : (here as RecordDetail)) },
      audio: {
        master: async (id) => (id === here.id ? new Blob(['sound'], { type: 'audio/ogg' }) : null),
        wave: async () => null,
      },
    });
    const sound = { ...choice, what: 'sound', sound: 'ogg' } as const;
    const { signal } = new AbortController();
    const made = await both.make([here.id, other.id], sound, () => {}, signal);
    if (!made.ok) throw new Error(made.failure.code);
    expect(made.data.missing).toEqual([{ title: 'Elsewhere', code: 'no_sound' }]);
    const zip = await made.data.file.text();
    expect(zip).toContain('Missing sound.txt');
    expect(zip).toContain('The sound of “Elsewhere” is not here');
    const none = await both.make([other.id, other.id], sound, () => {}, signal);
    expect(none).toEqual({ ok: false, failure: { title: 'Elsewhere', code: 'no_sound' } });
  });
});
