import { buildTree } from '@linnet/mind-map/tree';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments, parse as parseYaml } from 'yaml';
import { byteLength, editedCopyName, isNoteName, nameKey, noteFileName } from './file-name.ts';
import { type Note, renderNote } from './note.ts';

const words = {
  summary: 'Summary',
  todos: 'To-dos',
  mindMap: 'Mind map',
  transcript: 'Transcript',
};
const note: Note = {
  id: 'flag-1',
  title: 'Choir *committee*',
  date: '2026-11-29T10:12:00',
  duration: { seconds: 754, text: '12:34' },
  language: 'no',
  people: ['Anna', 'Tom #2', 'Anna'],
  tags: ['work', 'next year', '2026', '!', 'a/b'],
  place: 'Café: "Süd"',
  link: 'https://example.com/pages/fileDetail?id=flag-1',
  summary: [
    { heading: null, points: ['A short form.'] },
    { heading: 'Topics', points: ['Keys #lost', '- [ ] not a task'] },
  ],
  todos: [
    { text: 'Call Tom', details: ['Anna', '2026-12-01'], done: false },
    { text: 'Buy keys', details: [], done: true },
  ],
  mindMap: buildTree([
    { id: 'r', parentid: '', topic: 'Choir' },
    { id: 'a', parentid: 'r', topic: 'Keys & [[doors]]' },
    { id: 'b', parentid: 'a', topic: 'Lost' },
  ]),
  transcript: [
    { speaker: { name: 'Anna', isNamed: true }, time: '0:05', text: 'Hello.', isMarked: true },
    { speaker: { name: 'Speaker 2', isNamed: false }, time: '0:09', text: '---', isMarked: false },
    { speaker: null, time: '0:12', text: 'One\n# two', isMarked: false },
  ],
};

/** Splits a note into its front matter and its body. */
function split(text: string) {
  const match = /^---\n([\s\S]*?)\n---\n\n([\s\S]*)$/.exec(text);
  if (!match) throw new Error('the front matter is missing');
  return { values: parseYaml(match[1] ?? ''), frontMatter: match[1] ?? '', body: match[2] ?? '' };
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom(
    ...['---', '\n---\n', '"', "'", '...', 'no', '~', '2026-11-29', '0x1f', '- a', 'a: b', '# b'],
    ...['{{transcript}}', '{{title}}', ']]', '[[a|b]]', '&a *a', '!!js', '\u2028---', '\ud800'],
    ...['\u0085---\u0085', '\ufeff', '\0', '%YAML', '```', '<%* x %>', '^id', '$$', '==a=='],
  ),
);
const anyNote = fc.record<Note>({
  id: anyText,
  title: anyText,
  date: fc.constantFrom('2026-11-29T10:12:00', '2026-01-02T00:00:00'),
  duration: fc.record({ seconds: fc.nat(), text: fc.constant('1:00') }),
  language: fc.option(anyText),
  people: fc.array(anyText, { maxLength: 4 }),
  tags: fc.array(anyText, { maxLength: 4 }),
  place: fc.option(anyText),
  link: fc.webUrl(),
  summary: fc.array(
    fc.record({ heading: fc.option(anyText), points: fc.array(anyText, { maxLength: 3 }) }),
    { maxLength: 3 },
  ),
  todos: fc.array(
    fc.record({ text: anyText, details: fc.array(anyText, { maxLength: 2 }), done: fc.boolean() }),
    { maxLength: 3 },
  ),
  mindMap: fc.constant(null),
  transcript: fc.array(
    fc.record({
      speaker: fc.option(fc.record({ name: anyText, isNamed: fc.boolean() })),
      time: fc.constant('0:01'),
      text: anyText,
      isMarked: fc.boolean(),
    }),
    { maxLength: 4 },
  ),
});

describe('a note', () => {
  it('has front matter with the metadata', () => {
    const { values, frontMatter } = split(renderNote(note, words, null));
    expect(values).toEqual({
      id: 'flag-1',
      title: 'Choir *committee*',
      date: '2026-11-29T10:12:00',
      duration: 754,
      language: 'no',
      people: ['[[Anna]]', '[[Tom 2]]'],
      tags: ['work', 'next-year', '2026_', 'a/b'],
      place: 'Café: "Süd"',
      link: 'https://example.com/pages/fileDetail?id=flag-1',
      version: 1,
    });
    expect(frontMatter).toContain('\ndate: 2026-11-29T10:12:00\n');
  });

  it('has the sections in Markdown, with links and tags', () => {
    expect(split(renderNote(note, words, null)).body).toBe(`# Choir \\*committee\\*

2026-11-29 10:12 · 12:34 · Café: "Süd"

[[Anna]] · [[Tom 2]]

#work #next-year #2026_ #a/b

## Summary

A short form.

### Topics

- Keys \\#lost
- \\- \\[ \\] not a task

## To-dos

- [ ] Call Tom *(Anna · 2026-12-01)*
- [x] Buy keys

## Mind map

- Choir
  - Keys \\& \\[\\[doors\\]\\]
    - Lost

## Transcript

★ **[[Anna]]** *0:05*  
Hello.

**Speaker 2** *0:09*  
\\---

*0:12*  
One  
\\# two
`);
  });

  it('omits empty sections', () => {
    const emptyNote = {
      ...note,
      summary: [],
      todos: [],
      mindMap: null,
      transcript: [],
      people: [],
    };
    const { values, body } = split(
      renderNote({ ...emptyNote, tags: [], place: null }, words, null),
    );
    expect(body).toBe('# Choir \\*committee\\*\n\n2026-11-29 10:12 · 12:34\n');
    expect(values).toMatchObject({ people: [], tags: [] });
    expect(values).not.toHaveProperty('place');
  });

  it('follows a custom template', () => {
    const template = '> [!info] {{ Title }}, {{date}} at {{time}}\r\n\r\n{{todos}}\r\n\r\n{{link}}';
    expect(split(renderNote(note, words, template)).body).toBe(
      [
        ...['> [!info] Choir \\*committee\\*, 2026-11-29 at 10:12', ''],
        ...['## To-dos', '', '- [ ] Call Tom *(Anna · 2026-12-01)*', '- [x] Buy keys', ''],
        '<https://example.com/pages/fileDetail?id=flag-1>\n',
      ].join('\n'),
    );
  });

  it('falls back to the default template if the custom one is invalid', () => {
    expect(renderNote(note, words, 'Broken {{titel}}')).toBe(renderNote(note, words, null));
  });

  it('has valid front matter for any text', () => {
    fc.assert(
      fc.property(anyNote, (any) => {
        const text = renderNote(any, words, null);
        expect(text.isWellFormed()).toBe(true);
        const { values } = split(text);
        expect(values.title).toBe(any.title.toWellFormed());
        expect(values.id).toBe(any.id.toWellFormed());
        expect(values.place ?? null).toBe(any.place?.toWellFormed() ?? null);
        expect(values.language ?? null).toBe(any.language?.toWellFormed() ?? null);
        expect(values.duration).toBe(any.duration.seconds);
        expect(values.version).toBe(1);
        for (const list of [values.people, values.tags]) {
          for (const value of list) expect(typeof value).toBe('string');
        }
        for (const tag of values.tags) expect(tag).toMatch(/^[^\s#[\]]*[^\s#[\]\d][^\s#[\]]*$/);
        // No text ends the front matter early, and no part of the body is parsed as YAML.
        const [first] = parseAllDocuments(text.slice(0, text.indexOf('\n---\n', 3) + 1));
        expect(first && 'errors' in first ? first.errors : []).toEqual([]);
      }),
    );
  });

  it('escapes tags, links and tasks in texts', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const paragraph = { speaker: null, time: '0:01', text, isMarked: false };
        const minimal = { ...note, people: [], tags: [], todos: [], summary: [], mindMap: null };
        const { body } = split(
          renderNote({ ...minimal, title: text, transcript: [paragraph] }, words, null),
        );
        expect(body).not.toMatch(/(?<!\\)\[\[/);
        expect(body).not.toMatch(/(?<![\\#])#[^\s#]/);
        expect(body).not.toMatch(/^\s*[-+*] /m);
        expect(body).not.toMatch(/(?<!\\)(%%|==|\$|<)/);
        expect(body.match(/^#+ .*$/gm)).toHaveLength(2);
      }),
    );
  });
});

describe('the file name of a note', () => {
  it('has the day, the title and a short ID', () => {
    const name = noteFileName({ id: 'flag-1', day: '2026-11-29', title: 'Choir: [keys] #1?' });
    expect(name).toMatch(/^2026-11-29 Choir keys 1 \([0-9a-z]{7}\)\.md$/);
    expect(noteFileName({ id: 'flag-1', day: '2026-11-29', title: '' })).toMatch(
      /^2026-11-29 \([0-9a-z]{7}\)\.md$/,
    );
    expect(editedCopyName(name, '2026-11-29T10:12:00Z')).toBe(
      name.replace('.md', ' (edited 2026-11-29 1012).md'),
    );
  });

  it('is valid on every file system and in links, even for an edited copy', () => {
    fc.assert(
      fc.property(anyText, anyText, fc.integer({ min: 1, max: 99 }), (id, title, number) => {
        const name = noteFileName({ id, day: '2026-11-29', title: title.repeat(9) }, number);
        for (const fileName of [name, editedCopyName(name, '2026-11-29T10:12:00Z', number)]) {
          expect(byteLength(fileName)).toBeLessThanOrEqual(143);
          expect(fileName).not.toMatch(/[<>:"/\\|?*#^[\]\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
          expect(fileName).toMatch(/^2026-11-29.*[^\s.]\.md$/u);
          expect(fileName.isWellFormed()).toBe(true);
          expect(fileName).toBe(fileName.normalize('NFC'));
        }
        expect(editedCopyName(name, '2026-11-29T10:12:00Z')).toContain(name.slice(0, -3));
      }),
    );
  });

  it('is recognized after the user renames the note, unless the file is an edited copy', () => {
    const name = noteFileName({ id: 'flag-1', day: '2026-11-29', title: 'Choir' }, 2);
    expect(isNoteName(name, 'flag-1')).toBe(true);
    expect(isNoteName(name.replace('2026-11-29 Choir', 'My choir'), 'flag-1')).toBe(true);
    expect(isNoteName(name, 'flag-2')).toBe(false);
    expect(isNoteName(editedCopyName(name, '2026-11-29T10:12:00Z'), 'flag-1')).toBe(false);
  });

  it('differs between recordings with the same day and title', () => {
    const names = Array.from({ length: 2000 }, (_, index) =>
      nameKey(noteFileName({ id: `flag-${index}`, day: '2026-11-29', title: 'Choir' })),
    );
    expect(new Set(names).size).toBe(names.length);
  });
});
