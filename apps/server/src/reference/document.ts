/** Builds the API reference, an OpenAPI 3.1 document, from the contract. */
import type { CallName } from '@linnet/contract';
import { calls, prefixes, webhookMessage } from '@linnet/contract';
import { catalog } from '@linnet/contract/codes';
import {
  type AccountCall,
  callScopes,
  type KeyScope,
  keyPrefix,
} from '@linnet/contract/key-scopes';
import { callGroups, callReference } from '@linnet/contract/reference';
import { z } from 'zod';
import { keyLimit } from '../http/gate.ts';
import type { Schema, SchemaCollection } from './schemas.ts';
import { createSchemaCollection } from './schemas.ts';

/** An operation in the document. */
interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
  readonly responses: Schema;
}

/** A request that the server sends. */
interface SentRequest extends Pick<Operation, 'operationId' | 'tags' | 'summary' | 'description'> {
  readonly security: readonly [];
  readonly requestBody: Required<Operation>['requestBody'];
  readonly responses: Schema;
}

/** The parts of an OpenAPI document that the reference uses. */
export interface ApiDocument {
  readonly openapi: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  /** The requests that the server sends. */
  readonly webhooks: Readonly<Record<string, { readonly post: SentRequest }>>;
  readonly components: {
    readonly securitySchemes: Schema;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
}

/** The form field in upload/radioFile that contains the file. */
const formFile = 'radio';

/** @param version the server's version */
export function createApiDocument(version: string): ApiDocument {
  const schemas = createSchemaCollection();
  const paths = Object.fromEntries(
    Object.entries(calls).map(([name, { method, path }]) => [
      `${prefixes.recorder}${path}`,
      { [method.toLowerCase()]: describeCall(name as CallName, schemas) },
    ]),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Linnet',
      version,
      description: describeConventions(),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(callGroups).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: { event: { post: describeWebhook(schemas) } },
    components: {
      securitySchemes: {
        access: {
          type: 'http',
          scheme: 'bearer',
          description: 'The `access_token` returned by `user/login` or `user/refreshToken`.',
        },
        key: {
          type: 'http',
          scheme: 'bearer',
          description: `An API key created with \`user/createKey\`. Starts with \`${keyPrefix}\`.`,
        },
        refresh: {
          type: 'http',
          scheme: 'bearer',
          description: 'The `refresh_token` returned by `user/login` or `user/refreshToken`.',
        },
      },
      schemas: schemas.components,
    },
  };
}

function describeWebhook(schemas: SchemaCollection): SentRequest {
  return {
    operationId: 'webhookReceive',
    tags: ['webhooks'],
    summary: 'A message to a webhook',
    description:
      'The server sends this message to the URL of a webhook, with the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` as specified by Standard Webhooks.',
    security: [],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemas.convert(webhookMessage, 'output') } },
    },
    responses: {
      '2XX': {
        description: 'The message was received. Any other status counts as a failed attempt.',
      },
    },
  };
}

function describeCall(name: CallName, schemas: SchemaCollection): Operation {
  const { method, auth, body, data, ...route } = calls[name];
  const { group, operationId, title, description } = callReference[name];
  const isForm = 'form' in route;
  const scope = getScope(name);
  const content = (sent: z.ZodType) => ({
    [isForm ? 'multipart/form-data' : 'application/json']: {
      schema: schemas.convert(sent, 'input'),
    },
  });
  return {
    operationId,
    tags: [group],
    summary: title,
    description:
      scope === null ? description : `${description} API keys need the scope \`${scope}\`.`,
    security: auth === 'none' ? [] : [{ [auth]: [] }, ...(scope === null ? [] : [{ key: [] }])],
    ...(method === 'POST' && {
      requestBody: {
        required: !body.safeParse(undefined).success,
        content: content(
          isForm && body instanceof z.ZodObject ? body.extend({ [formFile]: z.file() }) : body,
        ),
      },
    }),
    responses: {
      200: {
        description: 'The result, or an error with `data` null.',
        content: { 'application/json': { schema: describeEnvelope(data, schemas) } },
      },
    },
  };
}

/** Returns the scope that an API key needs for a call, or null if the call accepts no keys. */
function getScope(name: CallName): KeyScope | null {
  const scope = name in callScopes ? callScopes[name as AccountCall] : 'session';
  return scope === 'session' ? null : scope;
}

function describeEnvelope(data: z.ZodType, schemas: SchemaCollection): Schema {
  return {
    type: 'object',
    properties: {
      code: { type: 'integer', description: '0 for success, otherwise an error code.' },
      msg: { type: 'string', description: '`ok`, or an English description of the error.' },
      data: schemas.convert(data.nullable(), 'output'),
    },
    required: ['code', 'msg', 'data'],
  };
}

/** Describes the conventions that all calls share, with a table of all codes. */
function describeConventions(): string {
  const codes = Object.entries(catalog).map(
    ([name, { code, cause }]) => `| ${code} | ${name} | ${cause} |`,
  );
  return `The API of a Linnet server. The guide \`docs/api.md\` in the source code has a worked example.

## URLs
All calls have the prefix \`${prefixes.recorder}\`. The prefix \`${prefixes.user}\` is equivalent.

## Responses
Every response is \`{ code, msg, data }\`. On success, \`code\` is 0. **Errors also have the HTTP status 200**, with a
nonzero \`code\` and \`data\` null. Ignore unknown properties, because newer servers may add some.

## Types
In requests, integers, durations and booleans may also be sent as strings, IDs and serial numbers as numbers, and
booleans as 0 or 1. Responses always have the documented type.

## Units
- Positions and durations are in seconds. A recording's \`total_time\` is in whole seconds.
- Sizes are in bytes.
- Prices are in the currency's smallest unit, such as cents. Minutes are whole numbers.
- Times are ISO 8601 in UTC, except fields of an upload grant that are documented as Unix seconds.

## Tokens
\`user/login\` returns an access token and a refresh token. Send the access token in the header
\`Authorization: Bearer …\`. When a call returns ${catalog.tokenExpired.code}, call \`user/refreshToken\` with the refresh token
in the same header, and then repeat the call with the new access token.

## API keys
Scripts and other programs can send an API key in the same header, instead of an access token. Users create keys in the
app, under *Me → Personal information → API keys*, or with \`user/createKey\`. The scope \`read\` allows calls that read data,
such as recordings, transcripts and summaries. The scope \`write\` allows calls that add, change or delete data. A key can
have both. With \`write\` alone, a call still returns the recording that it changes.

The description of each call names the scope that it requires. All other authenticated calls require an access token, and
return ${catalog.keyNotAllowed.code} for a key. Examples are calls for sign-in, API keys, payments, share links, webhooks, binding
recorders and changing settings.

A key becomes invalid when it is revoked or expires, or when the password changes. All keys of an account together may make
${keyLimit.count} calls per minute.

## Retries
- ${catalog.tooManyRequests.code}: wait as long as \`msg\` says, up to an hour for some calls.
- ${catalog.internal.code}, ${catalog.unavailable.code}, ${catalog.serverFull.code} and requests without a response: retry, first after a second, then
  after twice as long each time.
- Other codes don't change when a call is repeated, except after renewing an expired access token.
- Repeating a call has no further effect if the call has an ID assigned by the client, such as \`client_flag\`. Derive the ID from
  the file's content, for example, so that a script can be run again.

## From a file to its transcript
1. \`upload/checkOssFile\` with a \`client_flag\` tells whether the server has the recording.
2. If not, \`upload/radioFile\` uploads the file, as \`multipart/form-data\`: with the fields \`radio\` (the file), \`client_flag\` and
   \`recorded_at\`. Large files on unstable networks can be uploaded resumably instead, with \`oss/config\` and \`upload/ossFile\`.
3. \`task/create\` with the recording's \`id\` and a \`language\` requests the transcription.
4. \`task/detail\` with the same \`id\` has the paragraphs once the \`status\` is 2. If it is 3, \`error\` has the reason.

## Lists
\`page\` starts at 1. Each page has up to \`limit\` rows in \`list\`. \`total\` is the number of rows on all pages.

## Codes
| Code | Name | Cause |
|---|---|---|
${codes.join('\n')}
`;
}
