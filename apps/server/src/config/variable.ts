import { z } from 'zod';

type VariableSchema = z.ZodType<unknown, string | undefined>;

/** An environment variable, with the columns of its row in docs/configuration.md. */
export interface Variable<Schema extends VariableSchema = VariableSchema> {
  /** Format of the value. */
  readonly format: string;
  /** Default value as shown in the documentation. */
  readonly defaultText: string;
  readonly description: string;
  readonly schema: Schema;
}

export const variable = <Schema extends VariableSchema>(
  format: string,
  defaultText: string,
  description: string,
  schema: Schema,
): Variable<Schema> => ({ format, defaultText, description, schema });

/** The parsed values of a table of variables. */
export type ValuesOf<Variables extends Readonly<Record<string, Variable>>> = {
  [Name in keyof Variables]: z.output<Variables[Name]['schema']>;
};

// Schemas shared by several variables. Each error message completes the sentence "… is invalid: expected …".

export const text = z.string().min(1);

export const port = z
  .string()
  .regex(/^\d{1,5}$/, 'a port number')
  .transform(Number)
  .refine((value) => value <= 65535, 'a port number up to 65535');

/** A URL without a trailing slash. */
export const baseUrl = z
  .url({ protocol: /^https?$/, error: 'an address such as https://linnet.example' })
  .transform((value) => value.replace(/\/+$/, ''));

/** An API key that can be sent in an HTTP header. */
export const apiKey = z.string().regex(/^[\x21-\x7e]+$/, 'a key without spaces');

export const count = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d{1,12}$/, 'a whole number')
    .transform(Number)
    .refine(
      (value) => minimum <= value && value <= maximum,
      `a number from ${minimum} to ${maximum}`,
    );

export const boolean = z.stringbool({ truthy: ['true'], falsy: ['false'], error: 'true or false' });

export const choice = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.string().pipe(z.enum(values, `one of ${values.join(', ')}`));

/** Splits a comma-separated list, dropping empty items. */
export const list = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  );
