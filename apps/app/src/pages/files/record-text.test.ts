import { describe, expect, it } from 'vitest';
import { listEntries } from './list-entries.ts';
import { preview } from './record-text.ts';
import type { ListedRecord } from './row-state.ts';

describe('preview', () => {
  it('truncates at sixty characters with an ellipsis', () => {
    expect(preview('a'.repeat(60))).toBe('a'.repeat(60));
    expect(preview('a'.repeat(61))).toBe(`${'a'.repeat(60)}...`);
  });

  it('is a single line and never splits a character', () => {
    expect(preview(' one\n\ntwo  three ')).toBe('one two three');
    expect(preview('🐦'.repeat(61))).toBe(`${'🐦'.repeat(60)}...`);
  });
});

describe('listEntries', () => {
  it('groups recordings by day or month under unique headings', () => {
    const now = new Date(2026, 10, 21, 12);
    const createRecord = (id: string, date: Date) =>
      ({ id, create_date: date.toISOString() }) as ListedRecord;
    const entries = listEntries(
      [
        createRecord('a', new Date(2026, 10, 21, 9)),
        createRecord('b', new Date(2026, 10, 21, 8)),
        createRecord('c', new Date(2026, 10, 3)),
        createRecord('d', new Date(2025, 10, 3)),
      ],
      'created',
      now,
    );
    expect(
      entries.map((entry) => (entry.kind === 'record' ? entry.record.id : entry.group)),
    ).toEqual(['today', 'a', 'b', { year: 2026, month: 10 }, 'c', { year: 2025, month: 10 }, 'd']);
  });
});
