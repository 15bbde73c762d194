import type { SummaryDocument } from '@linnet/contract';
import { describe, expect, it } from 'vitest';
import { formatMoney } from '../../../i18n/format.ts';
import { groupByDay } from './by-day.ts';
import { listState } from './list-state.ts';
import { meaningfulTotals } from './totals.ts';

const item = { text: 'said', paragraph_id: 'p1', start_time: 1 };
type Sum = SummaryDocument['finance'][number];
const sum = (amount: number | null, currency: string | null, purpose: string | null): Sum => ({
  id: `${amount}${purpose}`,
  ...item,
  amount,
  currency,
  purpose,
});

describe('meaningfulTotals', () => {
  it('adds distinct items in one currency', () => {
    const finance = [sum(420, 'EUR', 'paper'), sum(80.5, 'EUR', 'hall'), sum(9, 'CHF', 'tea')];
    expect(meaningfulTotals(finance)).toEqual([{ currency: 'EUR', total: 500.5, items: 2 }]);
  });

  it.each([
    ['the same thing twice', [sum(420, 'EUR', 'paper'), sum(400, 'EUR', 'Paper')]],
    ['something without a purpose', [sum(420, 'EUR', 'paper'), sum(400, 'EUR', null)]],
    ['something vague', [sum(1, 'EUR', 'a'), sum(2, 'EUR', 'b'), sum(null, 'EUR', 'c')]],
    ['a currency that was not said', [sum(1, 'EUR', 'a'), sum(2, 'EUR', 'b'), sum(3, null, 'c')]],
  ])('omits totals of %s', (_, finance) => {
    expect(meaningfulTotals(finance)).toEqual([]);
  });
});

describe('money', () => {
  it('formats amounts for the language', () => {
    expect(formatMoney(420, 'EUR', 'en')).toBe('€420');
    expect(formatMoney(85.5, 'EUR', 'en')).toBe('€85.50');
    expect(formatMoney(1200, null, 'en')).toBe('1,200');
    expect(formatMoney(5, 'points', 'en')).toBe('5 points');
  });
});

describe('groupByDay', () => {
  it('sorts days in calendar order, with undated events last', () => {
    const event = (id: string, date: string | null, start_time: number) => ({
      ...item,
      id,
      date,
      start_time,
      when: '',
    });
    const days = groupByDay([
      event('later', '2027-03-02', 1),
      event('never', null, 2),
      event('second', '2026-11-26', 9),
      event('first', '2026-11-26', 3),
    ]);
    expect(days.map(({ date, events }) => [date, events.map(({ id }) => id)])).toEqual([
      ['2026-11-26', ['first', 'second']],
      ['2027-03-02', ['later']],
      [null, ['never']],
    ]);
  });
});

describe('listState', () => {
  const document = {
    language: 'th',
    todos: [],
    looked_for: ['todos'],
    needs: [],
    questions: [{ id: 'q', ...item }],
  } as unknown as SummaryDocument;

  it('returns the reason for an empty list', () => {
    expect(listState('todos', false, null)).toEqual({ status: 'not-transcribed' });
    expect(listState('todos', true, null)).toEqual({ status: 'not-summarized' });
    expect(listState('todos', true, document)).toEqual({ status: 'none-found' });
    expect(listState('needs', true, document)).toEqual({
      status: 'unsupported',
      language: 'th',
    });
    expect(listState('questions', true, document)).toEqual({
      status: 'some',
      items: document.questions,
    });
  });
});
