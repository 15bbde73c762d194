/** A calendar entry. */
interface CalendarEntry {
  /** A unique ID that is the same in every export. */
  readonly uid: string;
  readonly text: string;
  /** Further details. */
  readonly notes: readonly string[];
  /** Link to the source in the transcript. */
  readonly url: string;
}

/** A to-do, as exported to a calendar. */
export interface CalendarTodo extends CalendarEntry {
  /** A calendar day such as `2026-11-21`, or null if unknown. */
  readonly due: string | null;
  readonly done: boolean;
}

/** A date mentioned in a recording, as exported to a calendar. */
export interface CalendarDate extends CalendarEntry {
  /** A calendar day such as `2026-11-21`. */
  readonly day: string;
}

/** Maximum octets per line (RFC 5545, 3.1). Longer lines are folded. */
const MAX_LINE_OCTETS = 75;
const encoder = new TextEncoder();

/** Escapes a TEXT value (RFC 5545, 3.3.11). Control characters aren't allowed and become spaces. */
function escapeText(value: string): string {
  return value
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n?|\n/g, '\\n')
    .replace(/\p{Cc}/gu, ' ');
}

/** Folds a line without splitting characters. */
function foldLine(line: string): string {
  const parts: string[] = [];
  let part = '';
  let octets = 0;
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (octets + size > MAX_LINE_OCTETS) {
      parts.push(part);
      // The leading space of a continuation line counts as an octet.
      part = ' ';
      octets = 1;
    }
    part += character;
    octets += size;
  }
  return [...parts, part].join('\r\n');
}

/** Formats a time as `20261121T140500Z`. */
function formatUtc(date: Date): string {
  return `${date.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
}

function todoLines(
  { uid, text: summary, notes, due, done, url }: CalendarTodo,
  now: Date,
): string[] {
  return [
    'BEGIN:VTODO',
    `UID:${escapeText(uid)}`,
    `DTSTAMP:${formatUtc(now)}`,
    `SUMMARY:${escapeText(summary)}`,
    ...(notes.length > 0 ? [`DESCRIPTION:${escapeText(notes.join('\n'))}`] : []),
    ...(due === null ? [] : [`DUE;VALUE=DATE:${due.replaceAll('-', '')}`]),
    `URL:${url}`,
    `STATUS:${done ? 'COMPLETED' : 'NEEDS-ACTION'}`,
    ...(done ? ['PERCENT-COMPLETE:100'] : []),
    'END:VTODO',
  ];
}

/** Returns the day after a calendar day such as `2026-11-21`. */
function dayAfter(day: string): string {
  const next = new Date(`${day}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString().slice(0, 10);
}

/** Returns an all-day event, shown as free time (TRANSP:TRANSPARENT). */
function eventLines(
  { uid, text: summary, notes, url }: CalendarEntry,
  day: string,
  now: Date,
): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:event-${escapeText(uid)}`,
    `DTSTAMP:${formatUtc(now)}`,
    `SUMMARY:${escapeText(summary)}`,
    ...(notes.length > 0 ? [`DESCRIPTION:${escapeText(notes.join('\n'))}`] : []),
    `DTSTART;VALUE=DATE:${day.replaceAll('-', '')}`,
    `DTEND;VALUE=DATE:${dayAfter(day).replaceAll('-', '')}`,
    'TRANSP:TRANSPARENT',
    `URL:${url}`,
    'END:VEVENT',
  ];
}

/**
 * Creates an iCalendar file (RFC 5545) of to-dos and dates, for calendars and task lists. Each to-do becomes a task. An
 * open to-do with a due date also becomes an event, because Google Calendar and Outlook import only events. Importing a
 * later export of the same recording updates the existing tasks and events. The file asks subscribers to refresh
 * hourly.
 * @param now the file's creation time
 */
export function createCalendar(
  { todos, dates }: { todos: readonly CalendarTodo[]; dates: readonly CalendarDate[] },
  now: Date,
): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Linnet//To-dos//EN',
    'CALSCALE:GREGORIAN',
    'X-WR-CALNAME:Linnet',
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...todos.flatMap((todo) => todoLines(todo, now)),
    ...todos.flatMap((todo) =>
      todo.due === null || todo.done ? [] : eventLines(todo, todo.due, now),
    ),
    ...dates.flatMap((date) => eventLines(date, date.day, now)),
    'END:VCALENDAR',
  ];
  return `${lines.map(foldLine).join('\r\n')}\r\n`;
}
