/** Registers the calls whose body is a multipart form with a file. The file is stored while it is being received. */
import type { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import type { CallData, CallInput, CallName } from '@linnet/contract';
import { calls } from '@linnet/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { isStorable } from './body.ts';
import type { AuthOf, CallContext, CallerByAuth, CallServices } from './calls.ts';
import { serveCall } from './calls.ts';
import { drain } from './drain.ts';
import { CallError } from './failure.ts';

/** Names of the calls whose body is a form with one file. */
export type FormName = {
  [Name in CallName]: (typeof calls)[Name] extends { form: true } ? Name : never;
}[CallName];

/** A form's file while it is being received. */
export interface FormFile {
  /** File name given by the client, which may be empty. */
  readonly name: string;
  readonly mediaType: string;
  readonly body: Readable;
}

/** Handles a form, whose fields may come before or after the file. */
export interface FormHandler<Name extends FormName, Stored> {
  /** Name of the file field. */
  readonly file: string;
  /** Stores the file while it is being received. `file.body` fails if the body is truncated. */
  storeFile(file: FormFile, caller: CallerByAuth[AuthOf<Name>]): Promise<Stored>;
  /**
   * Completes the call once the whole form has been received and its fields are valid. If this fails, the handler must
   * discard the stored file, because only the handler knows whether it failed before or after a commit.
   */
  finish(
    storedFile: Stored,
    fields: CallInput<Name>,
    caller: CallerByAuth[AuthOf<Name>],
    context: CallContext,
  ): Promise<CallData<Name>>;
  /** Discards the file of an invalid form. `finish` isn't called for it. */
  discardFile(storedFile: Stored): Promise<void>;
}

/** Like `DefineCall`, for form calls. */
export type DefineForm = <Name extends FormName, Stored>(
  name: Name,
  handler: FormHandler<Name, Stored>,
) => void;

/** Limits for the fields. The file size is limited by the handler. */
const formLimits = {
  fields: 40,
  fieldSize: 16 * 1024,
  files: 1,
  fileSize: Number.POSITIVE_INFINITY,
};

/**
 * Returns a function that registers form calls.
 * @param app a separate scope, because the form parser must not apply to JSON calls
 */
export async function createFormDefiner(
  app: FastifyInstance,
  services: CallServices,
): Promise<DefineForm> {
  await app.register(multipart, { limits: formLimits });
  app.addHook('onSend', (request, reply) => drain(request, reply));
  return (name, handler) => {
    const { body } = calls[name];
    const extras = {
      schema: { body },
      // Fields are validated once all of them have arrived.
      validatorCompiler: () => (value: unknown) => ({ value }),
    };
    serveCall(app, services, name, extras, async (caller, context) => {
      const { storedFile, fields } = await readForm(
        context.request,
        handler,
        caller,
        (fieldsToCheck) => checkFields(body, fieldsToCheck),
      );
      return handler.finish(storedFile, fields as CallInput<typeof name>, caller, context);
    });
  };
}

async function readForm<Name extends FormName, Stored>(
  request: FastifyRequest,
  handler: FormHandler<Name, Stored>,
  caller: CallerByAuth[AuthOf<Name>],
  check: (fields: Record<string, unknown>) => Record<string, unknown>,
): Promise<{ storedFile: Stored; fields: Record<string, unknown> }> {
  if (!request.isMultipart())
    throw new CallError('badRequest', 'The request body must be a multipart form.');
  const fields: Record<string, unknown> = {};
  let stored: { storedFile: Stored } | null = null;
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') {
        if (part.fieldname !== handler.file) {
          throw new CallError('badRequest', `The file must be in the field ${handler.file}.`);
        }
        const file = { name: part.filename ?? '', mediaType: part.mimetype, body: part.file };
        stored = { storedFile: await handler.storeFile(file, caller) };
      } else if (part.valueTruncated) {
        throw new CallError('badRequest', `The field ${part.fieldname} is too long.`);
      } else {
        fields[part.fieldname] = part.value;
      }
    }
    if (stored === null)
      throw new CallError('badRequest', `The file field ${handler.file} is missing.`);
    return { ...stored, fields: check(fields) };
  } catch (error) {
    if (stored) await handler.discardFile(stored.storedFile);
    throw toClientError(error);
  }
}

/**
 * Validates the form fields.
 * @throws CallError badRequest, naming the field
 */
function checkFields<Body extends z.ZodObject>(
  body: Body,
  fields: Record<string, unknown>,
): z.output<Body> {
  if (!isStorable(fields)) {
    throw new CallError('badRequest', "The form contains characters that can't be stored.");
  }
  const { success, data, error } = body.safeParse(fields);
  if (success) return data;
  const [issue] = error.issues;
  throw new CallError('badRequest', `${issue?.path.join('.')}: ${issue?.message}`);
}

/** Converts parser errors and truncated bodies to client errors. */
function toClientError(error: unknown): unknown {
  const { code, statusCode, message } = error as {
    code?: string;
    statusCode?: number;
    message?: string;
  };
  if (code === 'FST_FILES_LIMIT')
    return new CallError('badRequest', 'A form may contain only one file.');
  const isMalformed =
    /^FST_/.test(code ?? '') ||
    /^Unexpected end of|terminated early|^Malformed/.test(message ?? '');
  return isMalformed && (statusCode ?? 400) < 500
    ? new CallError('badRequest', "The form couldn't be parsed.")
    : error;
}
