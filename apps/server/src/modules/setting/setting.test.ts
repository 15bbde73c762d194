import { codes } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import { filterSetting, vocabularySetting } from '@linnet/contract/statuses';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import type { Phone } from '../../../test/sync.ts';
import { createPhone, operation } from '../../../test/sync.ts';
import { transcribedRecording } from '../../../test/transcripts.ts';
import { readVocabulary } from './settings.ts';

let server: TestServer;
let owner: Account;
let phone: Phone;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await server.register();
  phone = createPhone(server, owner);
});

const token = () => ({ token: owner.access });
const setting = (group_name: string, config_key: string, config_value: string) => ({
  group_name,
  config_key,
  config_value,
});
const storageSetting = (key: string, value: string) => setting('radio_save_style', key, value);
const config = async () => (await server.call('user/config', {}, token())).data;
const defaults = {
  radio_save_style: { local: '1', app: '1', cloud: '1' },
  cloud_setting: { auto_sync: '1', wifi_only: '0' },
  voices: { remember: '0' },
};

it.each(['group_name', 'config_key'])('rejects __proto__ as the %s of a setting', async (field) => {
  const body = { ...setting('mine', 'theme', 'dark'), [field]: '__proto__' };
  expect((await server.call('user/updateConfig', body, token())).code).toBe(codes.badRequest);
  const other = { ...setting('mine', 'theme', 'dark'), [field]: 'constructor' };
  expect((await server.call('user/updateConfig', other, token())).code).toBe(codes.ok);
  expect(Object.keys(await config())).not.toContain('__proto__');
});

describe('settings', () => {
  const set = (body: object) => server.call('user/updateConfig', body, token());

  it('have defaults, and can be changed', async () => {
    const { data } = await server.call('user/config', undefined, token());
    expect(data).toEqual(defaults);
    const changed = storageSetting('cloud', '0');
    expect(await set(changed)).toMatchObject({ code: codes.ok, data: changed });
    expect((await set(setting('theme', 'colour', 'dark'))).code).toBe(codes.ok);
    expect(await config()).toEqual({
      ...defaults,
      radio_save_style: { ...defaults.radio_save_style, cloud: '0' },
      theme: { colour: 'dark' },
    });
    expect(await phone.everything()).toMatchObject([
      { kind: 'setting', setting: changed },
      { kind: 'setting', setting: setting('theme', 'colour', 'dark') },
    ]);
  });

  it.each([
    storageSetting('local', 'yes'),
    storageSetting('cloud', ''),
    setting('cloud_setting', 'wifi_only', '2'),
    setting('', 'k', 'v'),
    { group_name: 'radio_save_style', config_key: 'app' },
  ])('reject %j', async (body) => {
    expect(await set(body)).toMatchObject({ code: codes.badRequest, data: null });
    expect(await config()).toEqual(defaults);
  });

  it('always leave one storage location turned on', async () => {
    await set(storageSetting('local', '0'));
    await set(storageSetting('cloud', '0'));
    expect(await set(storageSetting('app', '0'))).toMatchObject({ code: codes.noStorageLocation });
    expect((await set(storageSetting('cloud', '1'))).code).toBe(codes.ok);
    expect((await set(storageSetting('app', '0'))).code).toBe(codes.ok);
  });
});

describe('synced settings', () => {
  it('follow the same rules as settings that are changed by calls', async () => {
    const setSetting = (rest: object) => operation({ type: 'setting.set', ...rest });
    const results = await phone.apply([
      setSetting(storageSetting('local', '0')),
      setSetting(storageSetting('app', '0')),
      setSetting(storageSetting('cloud', '0')),
      setSetting(storageSetting('cloud', 'off')),
      setSetting(setting('g', 'k', 'v')),
    ]);
    expect(results.map(({ code }) => code)).toEqual([
      codes.ok,
      codes.ok,
      codes.noStorageLocation,
      codes.badRequest,
      codes.ok,
    ]);
  });

  it('changed on two phones are resolved to the later change', async () => {
    const timeAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    const setSetting = (value: string, minutes: number) =>
      phone.applyOne({ type: 'setting.set', ...setting('g', 'k', value), at: timeAgo(minutes) });
    expect((await setSetting('later', 1)).outcome).toBe('applied');
    expect((await setSetting('earlier', 2)).outcome).toBe('superseded');
    expect((await config()).g).toEqual({ k: 'later' });
  });

  it('are limited in number', async () => {
    const ops = Array.from({ length: limits.setting.settings }, (_, n) =>
      operation({ type: 'setting.set', ...setting('g', `k${n}`, 'v') }),
    );
    const results = await phone.apply(ops);
    expect(results.at(-1)).toMatchObject({ outcome: 'refused', code: codes.badRequest });
    expect(
      (await phone.applyOne({ type: 'setting.set', ...setting('g', 'k0', 'w') })).outcome,
    ).toBe('applied');
  });

  describe('in the vocabulary group', () => {
    const { group, values } = vocabularySetting;
    const entry = (name: string, value: string = values.listed) => setting(group, name, value);
    const set = (body: object) => server.call('user/updateConfig', body, token());
    const vocabulary = (recording = '') => readVocabulary(server.db, owner.id, recording);

    it('are returned as a list without removed entries, latest first', async () => {
      for (const name of ['Marchetti', 'Anna Kovács', '田中']) await set(entry(name));
      await set(entry('Marchetti', values.removed));
      await set(entry('Okafor', values.corrected));
      expect(await vocabulary()).toEqual(['田中', 'Anna Kovács']);
    });

    it('come after the vocabulary of the recording itself', async () => {
      const { clientFlag: recording } = await transcribedRecording(server, owner);
      for (const name of ['Marchetti', 'Okafor']) await set(entry(name));
      const word = (text: string, on = true) =>
        phone.applyOne({ type: 'recording.word', recording, word: text, on });
      for (const text of ['Anna  Kovács', 'Okafor', 'Wren']) await word(text);
      await word('Wren', false);
      expect(await word('?!')).toMatchObject({ outcome: 'refused', code: codes.badRequest });
      expect(await vocabulary(recording)).toEqual(['Anna Kovács', 'Okafor', 'Marchetti']);
      expect((await phone.recording(recording)).words).toEqual(['Anna Kovács', 'Okafor']);
      expect(await vocabulary()).toEqual(['Okafor', 'Marchetti']);
    });

    it.each([
      entry('Marchetti', 'yes'),
      entry(' Marchetti'),
      entry('one, two'),
      entry('?!'),
      entry('n'.repeat(limits.vocabulary.entryMaxLength + 1)),
    ])('reject %j', async (body) => {
      expect(await set(body)).toMatchObject({ code: codes.badRequest, data: null });
      expect(await vocabulary()).toEqual([]);
    });

    it('have a limit of their own', async () => {
      const add = (from: number, count: number) =>
        phone.apply(
          Array.from({ length: count }, (_, n) =>
            operation({ type: 'setting.set', ...entry(`Name ${from + n}`) }),
          ),
        );
      const results = await add(0, limits.vocabulary.entries + 1);
      expect(results.at(-2)?.code).toBe(codes.ok);
      expect(results.at(-1)?.code).toBe(codes.badRequest);
      expect((await set(setting('g', 'k', 'v'))).code).toBe(codes.ok);
      await set(entry('Name 0', values.removed));
      expect((await set(entry('Marchetti'))).code).toBe(codes.ok);
      expect(await vocabulary()).toHaveLength(limits.vocabulary.entries);
    });
  });

  describe('in the group of saved filters', () => {
    const filter = (id: string, value = '{"name":"Work"}') =>
      setting(filterSetting.group, id, value);
    const apply = async (settings: readonly object[]) => {
      const operations = settings.map((each) => operation({ type: 'setting.set', ...each }));
      return (await phone.apply(operations)).map(({ code }) => code);
    };
    const createFilters = (count: number, value?: string) =>
      Array.from({ length: count }, (_, n) => filter(`f${n}`, value));

    it('have a limit of their own', async () => {
      expect(new Set(await apply(createFilters(limits.filters.count)))).toEqual(
        new Set([codes.ok]),
      );
      const results = await apply([
        filter('one more'),
        filter('f0', '{"name":"Renamed"}'),
        filter(filterSetting.order, 'f1 f0'),
        setting('g', 'k', 'v'),
        filter('f1', ''),
        filter('one more'),
      ]);
      const { ok, badRequest } = codes;
      expect(results).toEqual([badRequest, ok, ok, ok, ok, ok]);
    });

    it('are limited in number, including deleted filters', async () => {
      const { stored } = limits.filters;
      const deleted = Array.from({ length: stored }, (_, n) => filter(`d${n}`, ''));
      expect(new Set(await apply(deleted))).toEqual(new Set([codes.ok]));
      expect(await apply([filter('new'), filter('d0')])).toEqual([codes.badRequest, codes.ok]);
    });
  });

  it('are separate for each account', async () => {
    await server.call('user/updateConfig', setting('g', 'k', 'v'), token());
    const other = await server.register();
    const { data } = await server.call('user/config', {}, { token: other.access });
    expect(data).toEqual(defaults);
  });
});
