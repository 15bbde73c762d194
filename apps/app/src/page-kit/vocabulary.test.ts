import { limits } from '@linnet/contract/limits';
import { vocabularySetting } from '@linnet/contract/statuses';
import { expect, it } from 'vitest';
import { checkEntry, listedEntries, reactionTo } from './vocabulary.ts';

const { group, values } = vocabularySetting;
const entryOf = (config_key: string, value: keyof typeof values) => ({
  ...{ group_name: group, config_key },
  config_value: values[value],
});
const settings = [
  entryOf('Marchetti', 'listed'),
  entryOf('Delacroix', 'removed'),
  entryOf('Okafor', 'corrected'),
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
])('checks %j', (text, check) => expect(checkEntry(settings, text)).toEqual(check));

it('refuses an entry on a full list, and a new one if too many removed entries are stored', () => {
  const many = (count: number, value: keyof typeof values) =>
    Array.from({ length: count }, (_, index) => entryOf(`Name ${index}`, value));
  const full = many(limits.vocabulary.entries, 'listed');
  expect(checkEntry(full, 'Okafor')).toEqual({ status: 'full' });
  expect(checkEntry(full.slice(1), 'Okafor')).toEqual({ status: 'new', entry: 'Okafor' });
  const removed = many(limits.vocabulary.stored, 'removed');
  expect(checkEntry(removed, 'Okafor')).toEqual({ status: 'full' });
  expect(checkEntry(removed, 'Name 1')).toEqual({ status: 'new', entry: 'Name 1' });
});

it.each([
  ['Nakamura', 'remember'],
  ['Okafor', 'offer'],
  ['Marchetti', null],
  ['Delacroix', null],
])('reacts to a correction to %s: %s', (entry, reaction) => {
  expect(reactionTo(settings, entry)).toBe(reaction);
});
