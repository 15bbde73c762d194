import type { LiveStopReason, LiveText } from '@linnet/sync';
import { describe, expect, it } from 'vitest';
import { canAsk, liveNote } from './live-note.ts';

const passage = { start: 0, end: 2, text: 'Good morning.' };
const listening: LiveText = {
  language: 'en',
  passages: [],
  tentative: null,
  state: { status: 'listening' },
};
const withText: LiveText = { ...listening, passages: [passage] };
const createStoppedText = (text: LiveText, reason: LiveStopReason): LiveText => ({
  ...text,
  state: { status: 'stopped', reason },
});

describe('the note below the live text', () => {
  it('says that the app is listening until the first words arrive, as long as audio is being recorded', () => {
    expect(liveNote('ready', null, true)).toBe('listening');
    expect(liveNote('ready', listening, true)).toBe('listening');
    expect(liveNote('ready', listening, false)).toBeNull();
    expect(liveNote('ready', { ...listening, tentative: passage }, true)).toBeNull();
    expect(liveNote('ready', withText, true)).toBeNull();
    expect(liveNote('ready', { ...listening, state: { status: 'ended' } }, true)).toBeNull();
  });

  it.each(['minutes', 'failed', 'language', 'membership'] as const)(
    'explains why the text ended: %s',
    (reason) => {
      expect(liveNote('ready', createStoppedText(withText, reason), true)).toBe(reason);
      expect(liveNote('ready', createStoppedText(listening, reason), false)).toBe(reason);
    },
  );

  it('mentions an interruption only below existing text, and never mentions an outdated server', () => {
    expect(liveNote('ready', createStoppedText(withText, 'incomplete'), true)).toBe('incomplete');
    expect(liveNote('ready', createStoppedText(listening, 'incomplete'), true)).toBeNull();
    expect(liveNote('ready', createStoppedText(listening, 'unsupported'), true)).toBeNull();
  });

  it('explains why there is no text at all', () => {
    expect(liveNote('not_member', null, true)).toBe('membership');
    expect(liveNote('unsupported_language', null, true)).toBe('language');
    expect(liveNote('network_not_allowed', null, true)).toBeNull();
    expect(liveNote('unsupported_language', withText, false)).toBeNull();
    expect(liveNote('unknown', null, true)).toBeNull();
  });
});

describe('a recording that hasn’t been transcribed', () => {
  it('accepts questions as long as it has live text or may still get some', () => {
    expect(canAsk(null)).toBe(false);
    expect(canAsk(listening)).toBe(true);
    expect(canAsk(withText)).toBe(true);
    expect(canAsk(createStoppedText(withText, 'minutes'))).toBe(true);
    expect(canAsk({ ...listening, state: { status: 'ended' } })).toBe(true);
  });

  it.each(['minutes', 'incomplete', 'unsupported'] as const)(
    'accepts no questions if its text stopped before the first words: %s',
    (reason) => {
      expect(canAsk(createStoppedText(listening, reason))).toBe(false);
    },
  );
});
