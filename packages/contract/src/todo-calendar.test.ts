import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { type CalendarTodo, createCalendar } from './todo-calendar.ts';

const createTodoCalendar = (todos: readonly CalendarTodo[], at: Date) =>
  createCalendar({ todos, dates: [] }, at);

const now = new Date('2026-11-21T14:05:09.123Z');
const todo: CalendarTodo = {
  uid: 'r1-todos-1@linnet',
  text: 'Call the soloists',
  notes: [],
  due: null,
  done: false,
  url: 'https://linnet.example/pages/fileDetail?id=r1&paragraph=p1',
};

/** Parses a file's to-dos with an independent iCalendar library. */
function read(file: string) {
  return new ICAL.Component(ICAL.parse(file)).getAllSubcomponents('vtodo');
}

describe('a to-do calendar file', () => {
  it('has the text, due date and status of each to-do', () => {
    const [openTodo, doneTodo] = read(
      createTodoCalendar(
        [
          { ...todo, due: '2026-11-26', notes: ['Who: Miriam', 'When: by Thursday'] },
          { ...todo, uid: 'r1-todos-2@linnet', done: true },
        ],
        now,
      ),
    );
    expect(openTodo?.getFirstPropertyValue('uid')).toBe('r1-todos-1@linnet');
    expect(openTodo?.getFirstPropertyValue('summary')).toBe('Call the soloists');
    expect(openTodo?.getFirstPropertyValue('description')).toBe('Who: Miriam\nWhen: by Thursday');
    expect(openTodo?.getFirstPropertyValue('status')).toBe('NEEDS-ACTION');
    expect(openTodo?.getFirstPropertyValue('url')).toBe(todo.url);
    const dueTime = openTodo?.getFirstPropertyValue('due') as ICAL.Time;
    expect([dueTime.isDate, dueTime.toString()]).toEqual([true, '2026-11-26']);
    expect(String(openTodo?.getFirstPropertyValue('dtstamp'))).toBe('2026-11-21T14:05:09Z');
    expect(doneTodo?.getFirstPropertyValue('status')).toBe('COMPLETED');
    expect(doneTodo?.hasProperty('due')).toBe(false);
    expect(doneTodo?.hasProperty('description')).toBe(false);
  });

  it('has an all-day event for each to-do that is due on a known day', () => {
    const todos = [
      { ...todo, due: '2026-12-31', notes: ['Who: Miriam'] },
      { ...todo, uid: 'r1-todos-2@linnet' },
    ];
    const calendar = new ICAL.Component(ICAL.parse(createTodoCalendar(todos, now)));
    const events = calendar.getAllSubcomponents('vevent');
    expect(events).toHaveLength(1);
    const event = new ICAL.Event(events[0]);
    expect(event.uid).toBe('event-r1-todos-1@linnet');
    expect([event.summary, event.description]).toEqual(['Call the soloists', 'Who: Miriam']);
    expect([event.startDate.isDate, event.startDate.toString()]).toEqual([true, '2026-12-31']);
    expect(event.endDate.toString()).toBe('2027-01-01');
  });

  it.each([
    'Order: paper, ink; and a back\\slash',
    'Two\nlines, and a "quote"',
    'Ask whether the printer still has the paper of last year, and order before the month ends. '
      .repeat(4)
      .trim(),
    'اتصل بالعازفين المنفردين وأخبرنا قبل يوم الخميس بما يقولونه عن الموعد الجديد للحفل',
    '请在月底之前订购节目单，并询问印刷厂去年的纸张是否还有库存，然后告诉委员会。',
    'โทรหานักร้องเดี่ยวแล้วแจ้งให้เราทราบภายในวันพฤหัสบดีว่าพวกเขาว่าอย่างไร',
    `${'x'.repeat(65)}👩‍👩‍👧 and more words behind the family`,
  ])('preserves the text when folding lines: %s', (text) => {
    const file = createTodoCalendar([{ ...todo, text }], now);
    expect(read(file)[0]?.getFirstPropertyValue('summary')).toBe(text);
    const lines = file.split('\r\n');
    expect(lines.at(-1)).toBe('');
    for (const line of lines) {
      expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
      expect(line).not.toMatch(/\n/);
    }
  });
});
