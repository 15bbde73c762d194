import { validate } from 'uuid';

/** True if a text is a valid row ID (UUID). PostgreSQL rejects queries with any other text. */
export function isId(text: string): boolean {
  return validate(text);
}
