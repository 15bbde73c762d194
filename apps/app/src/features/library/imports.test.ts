import { describe, expect, it, vi } from 'vitest';
import { createImports, titleOf } from './imports.ts';

describe('the title of a recording from a file', () => {
  it.each([
    ['Choir practice.wav', 'Choir practice'],
    ['2026-02-03 14.30 talk.m4a', '2026-02-03 14.30 talk'],
    ['Dr. Haddad.ogg', 'Dr. Haddad'],
    ['no ending', 'no ending'],
    ['Meeting with Dr. Haddad', 'Meeting with Dr. Haddad'],
    ['.opus', '.opus'],
    ['اجتماع الجوقة.mp3', 'اجتماع الجوقة'],
  ])('of “%s” is “%s”', (name, title) => {
    expect(titleOf(name)).toBe(title);
  });

  it('is never longer than the server takes', () => {
    expect(titleOf(`${'a'.repeat(400)}.wav`)).toBe('a'.repeat(200));
  });
});

it('a recording that is there was imported, though its packets would not go', async () => {
  const stuck = new Error('in use');
  const added: string[] = [];
  const errors: unknown[] = [];
  let woken = 0;
  const { service } = createImports({
    records: {
      add: async ({ title }) => void added.push(title),
      work: async () => new Map(),
    },
    audio: {
      finish: async () => {
        const peaks = new Uint8Array();
        return { sha256: 'ab', bytes: 160, seconds: 1, peaks, localfile: 'x.wav' };
      },
      discardPackets: () => Promise.reject(stuck),
      remove: () => expect.fail('its sound was dropped'),
    },
    workshop: { convert: async () => {}, found: async () => ({ packets: [], cleaner: [] }) },
    uid: () => 'owner',
    onStored: () => {
      woken += 1;
    },
    onError: (error) => errors.push(error),
  });
  service.add([new File(['sound'], 'Choir.wav')]);
  await vi.waitUntil(() => service.state.get().every(({ state }) => state.status === 'failed'));
  expect([service.state.get(), added, errors, woken]).toEqual([[], ['Choir'], [stuck], 1]);
});
