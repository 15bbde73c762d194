import type { CalendarTodo } from '../../ports/analysis-files.ts';

/** Maximum octets of a line before it is folded (RFC 5545, 3.1). */
const lineOctets = 75;
const utf8 = new TextEncoder();

/** Escapes a value of type TEXT (RFC 5545, 3.3.11); control characters are not allowed in it. */
function text(value: string): string {
  return value
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n?|\n/g, '\\n')
    .replace(/\p{Cc}/gu, ' ');
}

/** Folds a content line into parts of at most {@link lineOctets}, without splitting characters. */
function folded(line: string): string {
  const parts: string[] = [];
  let part = '';
  let octets = 0;
  for (const character of line) {
    const size = utf8.encode(character).length;
    if (octets + size > lineOctets) {
      parts.push(part);
      // The leading space of a continuation counts as an octet.
      [part, octets] = [' ', 1];
    }
    part += character;
    octets += size;
  }
  return [...parts, part].join('\r\n');
}

/** `20261121T140500Z` */
function utc(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
}

function todoLines(
  { uid, text: summary, notes, due, done, url }: CalendarTodo,
  now: Date,
): string[] {
  return [
    'BEGIN:VTODO',
    `UID:${text(uid)}`,
    `DTSTAMP:${utc(now)}`,
    `SUMMARY:${text(summary)}`,
    ...(notes.length > 0 ? [`DESCRIPTION:${text(notes.join('\n'))}`] : []),
    ...(due === null ? [] : [`DUE;VALUE=DATE:${due.replaceAll('-', '')}`]),
    `URL:${url}`,
    `STATUS:${done ? 'COMPLETED' : 'NEEDS-ACTION'}`,
    ...(done ? ['PERCENT-COMPLETE:100'] : []),
    'END:VTODO',
  ];
}

/**
 * To-dos as an iCalendar file (RFC 5545), for calendars and task lists. Importing it again updates the same
 * to-dos.
 * @param now creation time of the file
 */
export function todoCalendar(todos: readonly CalendarTodo[], now: Date): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Linnet//To-dos//EN',
    'CALSCALE:GREGORIAN',
    ...todos.flatMap((todo) => todoLines(todo, now)),
    'END:VCALENDAR',
  ];
  return `${lines.map(folded).join('\r\n')}\r\n`;
}
