import { describe, expect, it } from 'vitest';
import { titleOf } from './imports.ts';

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
