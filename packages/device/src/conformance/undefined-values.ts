/**
 * Finds numbers in a recorder's frames that `PROTOCOL.md` doesn't define. Phones tolerate them, but the check doesn't.
 */
import { COMMANDS, type Frame, REPORTS, RESULTS } from '../codec/index.ts';
import { type Field, fieldSize, type Layout } from '../codec/layout.ts';

/** Reads layouts without interpreting them. Assumes that the messages are long enough. */
class Walker {
  private offset: number;
  private readonly payload: Uint8Array;

  constructor(payload: Uint8Array, offset: number) {
    this.payload = payload;
    this.offset = offset;
  }

  /** Returns descriptions of the undefined values in the fields. */
  walk(layout: Layout): string[] {
    return Object.entries(layout).flatMap(([name, field]) => this.inspect(name, field));
  }

  private inspect(name: string, field: Field): string[] {
    const first = this.payload[this.offset] ?? 0;
    const secondByte = this.payload[this.offset + 1] ?? 0;
    this.offset += fieldSize(field);
    switch (field.type) {
      case 'choice':
        return Object.values(field.values).includes(first) ? [] : [`${name} ${first}`];
      case 'list':
        return Array.from({ length: first }, () => this.walk(field.of)).flat();
      case 'bits': {
        let unused = first | (secondByte << 8);
        const found: string[] = [];
        for (const [member, range] of Object.entries(field.members)) {
          const width = 'values' in range ? range.width : 1;
          const value = (unused >> range.bit) & ((1 << width) - 1);
          unused &= ~(value << range.bit);
          const isKnown = !('values' in range) || Object.values(range.values).includes(value);
          if (!isKnown) found.push(`${member} ${value} in ${name}`);
        }
        return unused === 0 ? found : [...found, `bits without a meaning in ${name}`];
      }
      default:
        return [];
    }
  }
}

/** Returns descriptions of the undefined values in a response or report. Other frames contain none. */
export function findUndefined({ kind, command, payload }: Frame): string[] {
  if (kind === 'response' && payload[0] === RESULTS.ok) {
    const found = Object.entries(COMMANDS).find(([, { number }]) => number === command);
    if (!found) return [];
    const [name, { response }] = found;
    return new Walker(payload, 1).walk(response).map((value) => `${value} in ${name}`);
  }
  if (kind !== 'report') return [];
  const number = (payload[0] ?? 0) | ((payload[1] ?? 0) << 8);
  const found = Object.values(REPORTS).find(({ status }) => status === number);
  if (!found) return [];
  return new Walker(payload, 2).walk(found.layout).map((value) => `${value} in report ${number}`);
}
