import { limits } from '@linnet/contract/limits';
import { vocabularySetting } from '@linnet/contract/statuses';
import type { TFunction } from 'i18next';
import { expect, it } from 'vitest';
import { checkEntry, createVocabularyChanges, listedEntries, reactionTo } from './vocabulary.ts';

const { group, values } = vocabularySetting;
const createEntry = (config_key: string, value: keyof typeof values) => ({
  ...{ group_name: group, config_key },
  config_value: values[value],
});
const settings = [
  createEntry('Marchetti', 'listed'),
  createEntry('Delacroix', 'removed'),
  createEntry('Okafor', 'corrected'),
  { group_name: 'files', config_key: 'view', config_value: values.listed },
];

it('lists only the entries that were added and not removed', () => {
  expect(listedEntries(settings)).toEqual(['Marchetti']);
});

it.each([
  ['  Anna   Kovács ', { status: 'new', entry: 'Anna Kovács' }],
  ['Delacroix', { status: 'new', entry: 'Delacroix' }],
  ['Marchetti', { status: 'known' }],
  ['one, two', { status: 'invalid' }],
  ['?!', { status: 'invalid' }],
  ['n'.repeat(limits.vocabulary.entryMaxLength + 1), { status: 'invalid' }],
])('checks the entry %j', (text, check) => expect(checkEntry(settings, text)).toEqual(check));

it('rejects entries once the list is full, and new entries once too many removed entries are stored', () => {
  const many = (count: number, value: keyof typeof values) =>
    Array.from({ length: count }, (_, index) => createEntry(`Name ${index}`, value));
  const fullList = many(limits.vocabulary.entries, 'listed');
  expect(checkEntry(fullList, 'Okafor')).toEqual({ status: 'full' });
  expect(checkEntry(fullList.slice(1), 'Okafor')).toEqual({ status: 'new', entry: 'Okafor' });
  const removed = many(limits.vocabulary.stored, 'removed');
  expect(checkEntry(removed, 'Okafor')).toEqual({ status: 'full' });
  expect(checkEntry(removed, 'Name 1')).toEqual({ status: 'new', entry: 'Name 1' });
});

it.each([
  ['Nakamura', 'remember'],
  ['Okafor', 'offer'],
  ['Marchetti', null],
  ['Delacroix', null],
])('a correction to %s causes the reaction: %s', (entry, reaction) => {
  expect(reactionTo(settings, entry)).toBe(reaction);
});

it('remembers a limited number of corrections', () => {
  const corrected = Array.from({ length: limits.vocabulary.corrected }, (_, index) =>
    createEntry(`Name ${index}`, 'corrected'),
  );
  expect(reactionTo(corrected, 'Nakamura')).toBeNull();
  expect(reactionTo(corrected, 'Name 1')).toBe('offer');
  expect(reactionTo(corrected.slice(1), 'Nakamura')).toBe('remember');
});

it('offers a name on its second correction, and lists it if the user accepts', () => {
  const stored = new Map<string, string>();
  const readSettings = () =>
    Array.from(stored, ([config_key, config_value]) => ({
      ...{ group_name: group, config_key, config_value },
    }));
  const toasts: { message: string; action: { run(): void } }[] = [];
  const { noteCorrection, remove } = createVocabularyChanges({
    readSettings,
    save: (entry, value) => stored.set(entry, value),
    show: (toast) => toasts.push(toast),
    t: ((key: string) => key) as unknown as TFunction,
  });
  expect(noteCorrection('Okafor')).toBe(false);
  expect(noteCorrection('Nakamura')).toBe(false);
  expect(toasts).toEqual([]);
  expect(listedEntries(readSettings())).toEqual([]);
  expect(noteCorrection('Okafor')).toBe(true);
  expect(toasts.map(({ message }) => message)).toEqual(['vocabulary.offer']);
  toasts[0]?.action.run();
  expect(listedEntries(readSettings())).toEqual(['Okafor']);
  expect(noteCorrection('Okafor')).toBe(false);
  remove('Okafor');
  expect(noteCorrection('Okafor')).toBe(false);
});

it('offers nothing before the settings are loaded', () => {
  const { noteCorrection } = createVocabularyChanges({
    readSettings: () => null,
    save: () => expect.unreachable(),
    show: () => expect.unreachable(),
    t: ((key: string) => key) as unknown as TFunction,
  });
  expect(noteCorrection('Okafor')).toBe(false);
});
