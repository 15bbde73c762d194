/** A Pocket's commands and responses: ASCII fields separated by `&`. */
import { MAX_RESPONSE_BYTES } from './layout.ts';

/** A recording on the recorder. */
export type PocketFile = {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** `YYYYMMDDHHmmss`, by the recorder's clock. */
  readonly time: string;
  /**
   * The number in the list, which grows with the file. The protocol document calls it the size in kilobytes, but the
   * example there shows the length in seconds, so the app only compares values and ignores the unit.
   */
  readonly extent: number;
};

export type PocketResponse =
  | { readonly type: 'key'; readonly isAccepted: boolean }
  | { readonly type: 'clock' }
  | { readonly type: 'battery'; readonly percent: number }
  | { readonly type: 'firmware'; readonly version: string }
  /** Both values have the same unit. */
  | { readonly type: 'space'; readonly used: number; readonly total: number }
  /** 0 means idle. The protocol document defines no other code. */
  | { readonly type: 'state'; readonly code: number }
  | { readonly type: 'date'; readonly date: string }
  | { readonly type: 'dates'; readonly count: number }
  | { readonly type: 'file'; readonly file: PocketFile }
  | { readonly type: 'files'; readonly count: number }
  /** The size in bytes of the file that follows. */
  | { readonly type: 'size'; readonly bytes: number };

type Fields = readonly string[];
const number = (text: string | undefined) => Number(text ?? Number.NaN);

/** The layouts of responses: the pattern of the text after `MCU&`, and a reader for its fields. */
const layouts: readonly (readonly [
  pattern: RegExp,
  read: (fields: Fields) => PocketResponse | null,
])[] = [
  [/^SK&([!-~]+)$/, ([result]) => ({ type: 'key', isAccepted: result === 'OK' })],
  [/^T&OK$/, () => ({ type: 'clock' })],
  [
    /^BAT&(\d{1,3})$/,
    ([level]) => (number(level) <= 100 ? { type: 'battery', percent: number(level) } : null),
  ],
  [/^FW&([\w.-]{1,32})$/, ([version = '']) => ({ type: 'firmware', version })],
  [
    /^SPA&(\d{1,12})&(\d{1,12})$/,
    ([used, total]) =>
      number(used) <= number(total)
        ? { type: 'space', used: number(used), total: number(total) }
        : null,
  ],
  [/^STE&(\d{1,3})$/, ([code]) => ({ type: 'state', code: number(code) })],
  [/^DIRS&(\d{4}-\d\d-\d\d)$/, ([date = '']) => ({ type: 'date', date })],
  [/^DIRS_SUM&(\d{1,6})$/, ([count]) => ({ type: 'dates', count: number(count) })],
  [
    /^F&(\d{4}-\d\d-\d\d)&(\d{14})&(\d{1,12})$/,
    ([date = '', time = '', extent]) => ({
      type: 'file',
      file: { date, time, extent: number(extent) },
    }),
  ],
  [/^LIST&(\d{1,6})$/, ([count]) => ({ type: 'files', count: number(count) })],
  [/^U&(\d{1,12})$/, ([bytes]) => ({ type: 'size', bytes: number(bytes) })],
];

/** Decodes a notification, or returns null if it isn't a known response. */
export function decodeResponse(bytes: Uint8Array): PocketResponse | null {
  if (bytes.length > MAX_RESPONSE_BYTES) return null;
  const text = new TextDecoder('latin1').decode(bytes).replace(/[\0\r\n]+$/, '');
  if (!text.startsWith('MCU&')) return null;
  const body = text.slice('MCU&'.length);
  for (const [pattern, read] of layouts) {
    const match = pattern.exec(body);
    if (match) return read(match.slice(1));
  }
  return null;
}

/** Formats a time, given in milliseconds since 1970, as `YYYYMMDDHHmmss`, in this device's time zone. */
function clockTime(now: number): string {
  const date = new Date(now);
  const digits = (value: number) => String(value).padStart(2, '0');
  return [
    String(date.getFullYear()).padStart(4, '0'),
    ...[date.getMonth() + 1, date.getDate(), date.getHours(), date.getMinutes()].map(digits),
    digits(date.getSeconds()),
  ].join('');
}

const command = (...fields: readonly string[]) =>
  new TextEncoder().encode(['APP', ...fields].join('&'));

export const commands = {
  openSession: (key: string) => command('SK', key),
  /** @param now milliseconds since 1970 */
  setClock: (now: number) => command('T', clockTime(now)),
  battery: command('BAT'),
  firmware: command('FW'),
  space: command('SPACE'),
  state: command('STE'),
  listDates: command('LIST_DIRS'),
  listFiles: (date: string) => command('LIST', date),
  readFile: ({ date, time }: PocketFile) => command('U', date, time),
} as const;
