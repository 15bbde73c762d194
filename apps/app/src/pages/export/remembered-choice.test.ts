import { describe, expect, it } from 'vitest';
import { choiceKey, exportGroup, isForMembers, readLastChoice } from './remembered-choice.ts';

const storedSetting = (config_value: string) => [
  { group_name: exportGroup, config_key: choiceKey, config_value },
];

describe('readLastChoice', () => {
  it('defaults to plain text with speakers and times', () => {
    const choice = readLastChoice([]);
    expect(choice).toMatchObject({ what: 'text', text: 'txt', speakers: true, times: true });
    expect(isForMembers(choice)).toBe(false);
  });

  it('survives a round trip', () => {
    const choice = {
      ...readLastChoice([]),
      ...({
        what: 'both',
        text: 'docx',
        sound: 'wav',
        version: 'cleaner',
        parts: ['todos'],
      } as const),
      speakers: false,
      times: false,
      marked: true,
      folders: false,
    };
    expect(readLastChoice(storedSetting(JSON.stringify(choice)))).toEqual(choice);
    expect(isForMembers(choice)).toBe(true);
    expect(isForMembers({ ...choice, what: 'sound' })).toBe(false);
  });

  it('ignores values unknown to this version', () => {
    const unknownChoice = {
      what: 'video',
      text: 'odt',
      parts: ['verses', 'summary'],
      times: 'yes',
    };
    expect(readLastChoice(storedSetting(JSON.stringify(unknownChoice)))).toEqual({
      ...readLastChoice([]),
      parts: ['summary'],
    });
    for (const value of ['', 'null', '[]', '{"parts":7}']) {
      expect(readLastChoice(storedSetting(value))).toEqual(readLastChoice([]));
    }
  });
});
