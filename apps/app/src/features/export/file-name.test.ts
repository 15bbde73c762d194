import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baseName, createUniqueNames, fileName, pathInFolder } from './file-name.ts';

const day = '2026-11-21T12:00:00.000Z';
const anyName = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.constantFrom(
    'CON',
    'nul.txt',
    '..',
    '/',
    'a/b\\c',
    'x'.repeat(400),
    '会议'.repeat(200),
    '‮gpj.exe',
  ),
);
const byteLength = (text: string) => new TextEncoder().encode(text).length;

describe('file names', () => {
  it('are valid on every system for any recording name', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const file = createUniqueNames()(baseName(name, day), '.docx');
        expect(byteLength(file)).toBeLessThanOrEqual(143);
        expect(file.endsWith('.docx')).toBe(true);
        expect(file).not.toMatch(/[<>:"/\\|?*\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
        expect(file).not.toMatch(/^[.\s]|\s\.docx$|^(con|nul|aux|prn)\./i);
        expect(file.isWellFormed()).toBe(true);
        expect(file).toMatch(/^2026-11-2\d/);
      }),
    );
  });

  it('stay below 200 bytes as a path in a folder', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const base = baseName(name, day);
        const path = pathInFolder(createUniqueNames()(base, ''), base, '.original.docx');
        expect(byteLength(path)).toBeLessThanOrEqual(200);
        expect(path).toMatch(/^2026-11-2[^/]*\/2026-11-2[^/]*\.original\.docx$/);
      }),
    );
  });

  it('keep all readable characters', () => {
    expect(baseName('Rehearsals: spring / concert?', day)).toBe(
      '2026-11-21 Rehearsals spring concert',
    );
    expect(baseName('اجتماع', day)).toBe('2026-11-21 اجتماع');
    expect(baseName('', day)).toBe('2026-11-21');
    expect(createUniqueNames()('con.txt', '')).toBe('con_.txt');
  });

  it('are never empty', () => {
    expect(fileName('', 'ics')).toBe('Linnet.ics');
    expect(fileName('???', 'png')).toBe('Linnet.png');
    expect(fileName('會議 / 2', 'md')).toBe('會議 2.md');
    expect(byteLength(fileName('ก'.repeat(300), 'xmind'))).toBeLessThanOrEqual(143);
  });

  it('are unique on systems that ignore case', () => {
    fc.assert(
      fc.property(fc.array(anyName, { maxLength: 12 }), (names) => {
        const uniqueName = createUniqueNames();
        const results = names.map((name) => uniqueName(baseName(name, day), '.txt').toLowerCase());
        expect(new Set(results).size).toBe(names.length);
      }),
    );
    const uniqueName = createUniqueNames();
    const bases = ['Keys', 'keys', 'Keys'];
    expect(bases.map((base) => uniqueName(base, '.ogg'))).toEqual([
      'Keys.ogg',
      'keys (2).ogg',
      'Keys (3).ogg',
    ]);
  });
});
