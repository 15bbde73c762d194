import { describe, expect, it } from 'vitest';
import { choiceKey, choiceOf, exportGroup, isForMembers } from './remembered-choice.ts';

const kept = (config_value: string) => [
  { group_name: exportGroup, config_key: choiceKey, config_value },
];

describe('the last choice of an export', () => {
  it('defaults to plain text with speakers and times', () => {
    const choice = choiceOf([]);
    expect(choice).toMatchObject({ what: 'text', text: 'txt', speakers: true, times: true });
    expect(isForMembers(choice)).toBe(false);
  });

  it('survives a round trip', () => {
    const choice = {
      ...choiceOf([]),
      ...({
        what: 'both',
        text: 'docx',
        sound: 'wav',
        version: 'cleaner',
        parts: ['todos'],
      } as const),
      ...{ speakers: false, times: false, marked: true, folders: false },
    };
    expect(choiceOf(kept(JSON.stringify(choice)))).toEqual(choice);
    expect(isForMembers(choice)).toBe(true);
    expect(isForMembers({ ...choice, what: 'sound' })).toBe(false);
  });

  it('ignores values unknown to this version', () => {
    const odd = { what: 'video', text: 'odt', parts: ['verses', 'summary'], times: 'yes' };
    expect(choiceOf(kept(JSON.stringify(odd)))).toEqual({ ...choiceOf([]), parts: ['summary'] });
    for (const value of ['', 'null', '[]', '{"parts":7}']) {
      expect(choiceOf(kept(value))).toEqual(choiceOf([]));
    }
  });
});
