import { muxOgg } from '@linnet/audio/ogg';
import { recordingDate } from '@linnet/audio/recording-date';
import { writeWave } from '@linnet/audio/wave';
import type { RecordDetail } from '@linnet/sync';
import i18next from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';
import en from '../../i18n/locales/en/index.ts';
import type { ExportChoice } from '../../ports/exports.ts';
import { createRecords } from '../../workbench/fixtures/recordings.ts';
import { createExporter } from './exporter.ts';

const [recording] = createRecords();
if (!recording) throw new Error('the workbench has no recording');
const choice: ExportChoice = {
  what: 'text',
  text: 'txt',
  sound: 'mp3',
  version: 'original',
  parts: ['transcript'],
  speakers: true,
  times: true,
  marked: false,
  folders: false,
};
const unexpected = () => expect.fail('unexpected call');
const options = {
  records: {
    detail: async (id: string) => (id === recording.id ? (recording as RecordDetail) : null),
  },
  uid: () => recording.uid,
  client: { call: unexpected },
  audio: { master: unexpected, oggOpus: unexpected, wave: unexpected },
  audioProcessor: { denoised: unexpected },
  recode: unexpected,
  onError: unexpected,
};
const exporter = createExporter(options);

beforeAll(() => i18next.init({ lng: 'en', resources: { en: { translation: en } } }));

describe('an export of several recordings', () => {
  it('reports no title for a recording deleted during the export', async () => {
    const { signal } = new AbortController();
    const exported = await exporter.make([recording.id, 'deleted'], choice, () => {}, signal);
    expect(exported).toEqual({ ok: false, failure: { title: '', code: 'gone' } });
    const printed = await exporter.print([recording.id, 'deleted'], choice);
    expect(printed).toEqual({ ok: false, failure: { title: '', code: 'gone' } });
  });

  it('omits missing audio and lists it in the archive', async () => {
    const withoutAudio = {
      ...recording,
      id: 'elsewhere',
      title: 'Elsewhere',
      server_id: null,
    } as RecordDetail;
    const exporter = createExporter({
      ...options,
      records: {
        detail: async (id) => (id === withoutAudio.id ? withoutAudio : (recording as RecordDetail)),
      },
      audio: {
        master: async (id) =>
          id === recording.id ? new Blob(['sound'], { type: 'audio/ogg' }) : null,
        oggOpus: async () => null,
        wave: async () => null,
      },
    });
    const audioChoice = { ...choice, what: 'sound', sound: 'ogg' } as const;
    const { signal } = new AbortController();
    const exported = await exporter.make(
      [recording.id, withoutAudio.id],
      audioChoice,
      () => {},
      signal,
    );
    if (!exported.ok) throw new Error(exported.failure.code);
    expect(exported.data.missing).toEqual([{ title: 'Elsewhere', code: 'no_sound' }]);
    const zip = await exported.data.file.text();
    expect(zip).toContain('Missing files.txt');
    expect(zip).toContain('The audio of “Elsewhere” isn’t on this device');
    const failed = await exporter.make(
      [withoutAudio.id, withoutAudio.id],
      audioChoice,
      () => {},
      signal,
    );
    expect(failed).toEqual({ ok: false, failure: { title: 'Elsewhere', code: 'no_sound' } });
  });
});

describe('an export of a recording whose transcript is still being received', () => {
  const arriving = {
    ...recording,
    ...{ id: 'arriving', title: 'Underway', transcript: 'arriving', content: [] },
  } as RecordDetail;
  const failed = { ok: false, failure: { title: 'Underway', code: 'transcript_arriving' } };
  const ogg = new Blob([muxOgg(new Uint8Array(160))], { type: 'audio/ogg' });
  const exporter = createExporter({
    ...options,
    records: {
      detail: async (id) => (id === arriving.id ? arriving : (recording as RecordDetail)),
    },
    audio: { master: async () => ogg, oggOpus: async () => ogg, wave: async () => null },
  });
  const make = (ids: readonly string[], changes: Partial<ExportChoice> = {}) =>
    exporter.make(ids, { ...choice, ...changes }, () => {}, new AbortController().signal);

  it.each(['txt', 'md', 'docx', 'srt', 'vtt', 'json'] as const)(
    'fails in the format %s',
    async (text) => {
      expect(await make([arriving.id], { text })).toEqual(failed);
    },
  );

  it('fails if it would be printed or would leave an archive empty', async () => {
    expect(await make([arriving.id, arriving.id])).toEqual(failed);
    expect(await exporter.print([recording.id, arriving.id], choice)).toEqual(failed);
  });

  it('is listed as missing in an archive, which contains its audio and the other recordings', async () => {
    const exported = await make([recording.id, arriving.id], { what: 'both', sound: 'ogg' });
    if (!exported.ok) throw new Error(exported.failure.code);
    expect(exported.data.missing).toEqual([failed.failure]);
    const zip = await exported.data.file.text();
    expect(zip).toContain('The transcript of “Underway” isn’t on this device yet');
    expect(new Set(zip.match(/Underway\.(?:ogg|txt)/g))).toEqual(new Set(['Underway.ogg']));
    expect(zip).toContain(recording.content[0]?.content);
  });

  it('succeeds with the audio alone', async () => {
    const exported = await make([arriving.id], { what: 'sound', sound: 'ogg' });
    expect(exported).toMatchObject({ ok: true, data: { missing: [] } });
  });
});

describe('exported audio', () => {
  const read = async (file: Blob) => {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const slice = async (start: number, length: number) => bytes.subarray(start, start + length);
    return {
      text: Buffer.from(bytes).toString(),
      date: await recordingDate(slice, bytes.length, '', new Date()),
    };
  };
  const wave = new Blob([writeWave(new Int16Array(160), 16_000)], { type: 'audio/wav' });
  const ogg = new Blob([muxOgg(new Uint8Array(160))], { type: 'audio/ogg' });
  const mp3 = new Blob([Uint8Array.of(0xff, 0xfb)], { type: 'audio/mpeg' });

  it.each([
    ['wav', wave],
    ['ogg', ogg],
    ['mp3', mp3],
  ] as const)(
    'has the title, the speakers and the date of the recording: %s',
    async (sound, blob) => {
      const named = {
        ...recording,
        ...{ title: 'اجتماع', create_date: '2026-11-20T23:15:30.000Z', speakers: { S1: 'سلمى' } },
        content: [{ ...recording.content[0], speaker: 'S1' }],
      } as RecordDetail;
      const exporter = createExporter({
        ...options,
        records: { detail: async () => named },
        audio: { master: async () => ogg, oggOpus: async () => ogg, wave: async () => wave },
        recode: async () => mp3,
      });
      const make = async (speakers: boolean) => {
        const audioChoice = { ...choice, what: 'sound', sound, speakers } as const;
        const exported = await exporter.make(
          ['a'],
          audioChoice,
          () => {},
          new AbortController().signal,
        );
        if (!exported.ok) throw new Error(exported.failure.code);
        expect(exported.data.file.type).toBe(blob.type);
        return read(exported.data.file);
      };
      const { text, date } = await make(true);
      expect(text).toContain('اجتماع');
      expect(text).toContain('سلمى');
      expect(date).toEqual(new Date('2026-11-20T23:15:30Z'));
      expect((await make(false)).text).not.toContain('سلمى');
    },
  );
});
