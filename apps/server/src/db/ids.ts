import { validate } from 'uuid';

/** Whether a text can be the id of a row; any other finds nothing, and would upset PostgreSQL. */
export function isId(text: string): boolean {
  return validate(text);
}
