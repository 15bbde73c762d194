import { validate } from 'uuid';

/** True if a string is a valid row ID (UUID). PostgreSQL rejects queries that contain any other string as an ID. */
export function isId(text: string): boolean {
  return validate(text);
}
