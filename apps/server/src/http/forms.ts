import type { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import type { CallData, CallInput, CallName } from '@linnet/contract';
import { calls } from '@linnet/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isStorable } from './body.ts';
import type { AuthOf, Bearers, CallContext, CallPlumbing } from './calls.ts';
import { serveCall } from './calls.ts';
import { drain } from './drain.ts';
import { CallError } from './failure.ts';

/** The calls whose body is a form with one file. */
export type FormName = {
  [Name in CallName]: (typeof calls)[Name] extends { form: true } ? Name : never;
}[CallName];

/** The file of a form, while it comes in. */
export interface FormFile {
  /** As the sender calls it; may be empty. */
  readonly name: string;
  readonly mediaType: string;
  readonly body: Readable;
}

/** What a call does with a form. Its fields may come before the file or after it. */
export interface FormHandler<Name extends FormName, Kept> {
  /** The file's field. */
  readonly file: string;
  /** Takes the file in as it comes. A body that breaks off makes `file.body` fail. */
  keep(file: FormFile, bearer: Bearers[AuthOf<Name>]): Promise<Kept>;
  /**
   * The whole form is there and its fields are what the contract says. From here on what was kept is
   * this one's to keep or to discard: only it knows whether a failure came before a commit or after.
   */
  finish(
    kept: Kept,
    fields: CallInput<Name>,
    bearer: Bearers[AuthOf<Name>],
    context: CallContext,
  ): Promise<CallData<Name>>;
  /** What was kept is not wanted: the form turned out wrong, and `finish` never hears of it. */
  drop(kept: Kept): Promise<void>;
}

/** As DefineCall, for calls with a form. */
export type DefineForm = <Name extends FormName, Kept>(
  name: Name,
  handler: FormHandler<Name, Kept>,
) => void;

/** Short fields beside one file; how long that may be is the handler's to say. */
const formLimits = {
  fields: 40,
  fieldSize: 16 * 1024,
  files: 1,
  fileSize: Number.POSITIVE_INFINITY,
};

/** @param app a scope of its own: it learns to read forms, and the JSON calls must not */
export async function formDefiner(
  app: FastifyInstance,
  plumbing: CallPlumbing,
): Promise<DefineForm> {
  await app.register(multipart, { limits: formLimits });
  app.addHook('onSend', (request, reply) => drain(request, reply));
  return (name, handler) => {
    const { body } = calls[name];
    const extras = {
      schema: {
        consumes: ['multipart/form-data'],
        body: body.extend({ [handler.file]: z.file() }),
      },
      // The fields are checked when all of them are there.
      validatorCompiler: () => (value: unknown) => ({ value }),
    };
    serveCall(app, plumbing, name, extras, async (bearer, context) => {
      const { kept, fields } = await readForm(context.request, handler, bearer, (given) =>
        checkFields(body, given),
      );
      return handler.finish(kept, fields as CallInput<typeof name>, bearer, context);
    });
  };
}

async function readForm<Name extends FormName, Kept>(
  request: FastifyRequest,
  handler: FormHandler<Name, Kept>,
  bearer: Bearers[AuthOf<Name>],
  check: (fields: Record<string, unknown>) => Record<string, unknown>,
): Promise<{ kept: Kept; fields: Record<string, unknown> }> {
  if (!request.isMultipart()) throw new CallError('badRequest', 'The body is not a form.');
  const fields: Record<string, unknown> = {};
  let held: { kept: Kept } | null = null;
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') {
        if (part.fieldname !== handler.file) {
          throw new CallError('badRequest', `The file's field is called ${handler.file}.`);
        }
        const file = { name: part.filename ?? '', mediaType: part.mimetype, body: part.file };
        held = { kept: await handler.keep(file, bearer) };
      } else if (part.valueTruncated) {
        throw new CallError('badRequest', `${part.fieldname}: too long`);
      } else {
        fields[part.fieldname] = part.value;
      }
    }
    if (held === null) throw new CallError('badRequest', `${handler.file}: the file is missing`);
    return { ...held, fields: check(fields) };
  } catch (error) {
    if (held) await handler.drop(held.kept);
    throw translate(error);
  }
}

/** @throws CallError badRequest, naming the field */
function checkFields<Body extends z.ZodObject>(
  body: Body,
  fields: Record<string, unknown>,
): z.output<Body> {
  if (!isStorable(fields)) {
    throw new CallError('badRequest', 'The form holds characters that cannot be stored.');
  }
  const typed = Object.entries(fields).map(([name, value]) => [
    name,
    isNumber(body.shape[name]) ? toNumber(value) : value,
  ]);
  const { success, data, error } = body.safeParse(Object.fromEntries(typed));
  if (success) return data;
  const [issue] = error.issues;
  throw new CallError('badRequest', `${issue?.path.join('.')}: ${issue?.message}`);
}

/** Fields of forms are text: what the contract wants as a number is written as JSON has numbers. */
function toNumber(value: unknown): unknown {
  const written = typeof value === 'string' && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value);
  return written ? Number(value) : value;
}

function isNumber(schema: unknown): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return isNumber(schema.unwrap());
  }
  return schema instanceof z.ZodNumber;
}

/** The parser's own refusals, and a body that ended early, are the sender's doing. */
function translate(error: unknown): unknown {
  const { code, statusCode, message } = error as {
    code?: string;
    statusCode?: number;
    message?: string;
  };
  if (code === 'FST_FILES_LIMIT') return new CallError('badRequest', 'A form has one file.');
  const broken =
    /^FST_/.test(code ?? '') ||
    /^Unexpected end of|terminated early|^Malformed/.test(message ?? '');
  return broken && (statusCode ?? 400) < 500
    ? new CallError('badRequest', 'The form cannot be read.')
    : error;
}
