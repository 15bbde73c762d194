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
          description: 'The `access_token` of `user/login` or `user/refreshToken`.',
        },
        key: {
          type: 'http',
          scheme: 'bearer',
          description: `An API key of \`user/createKey\`. It starts with \`${keyPrefix}\`.`,
        },
        refresh: {
          type: 'http',
          scheme: 'bearer',
          description: 'The `refresh_token` of `user/login` or `user/refreshToken`.',
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
      'The server posts this message to the address of a webhook, with the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` of Standard Webhooks.',
    security: [],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemas.convert(webhookMessage, 'output') } },
    },
    responses: {
      '2XX': { description: 'The message was received. Any other answer is a failure.' },
    },
  };
}

function describeCall(name: CallName, schemas: SchemaCollection): Operation {
  const { method, auth, body, data, ...route } = calls[name];
  const { group, operationId, title, description } = callReference[name];
  const isForm = 'form' in route;
  const scope = scopeOf(name);
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
        description: 'The result, or a failure with `data` null.',
        content: { 'application/json': { schema: describeEnvelope(data, schemas) } },
      },
    },
  };
}

/** Returns the scope that an API key needs for a call; null if the call accepts no keys. */
function scopeOf(name: CallName): KeyScope | null {
  const scope = name in callScopes ? callScopes[name as AccountCall] : 'session';
  return scope === 'session' ? null : scope;
}

function describeEnvelope(data: z.ZodType, schemas: SchemaCollection): Schema {
  return {
    type: 'object',
    properties: {
      code: { type: 'integer', description: '0, or the code of a failure.' },
      msg: { type: 'string', description: 'An English sentence about the failure.' },
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

## Addresses
All calls have the prefix \`${prefixes.recorder}\`. The prefix \`${prefixes.user}\` is equivalent.

## Responses
Every response is \`{ code, msg, data }\`. The code of a success is 0. **Every failure also has the HTTP status 200**, a
code other than 0, and \`data\` null. Ignore unknown properties, because newer servers may add some.

## Types
In requests, whole numbers, durations and flags may also be sent as text, ids and serial numbers also as numbers, and
flags also as 0 or 1. Responses always have the documented type.

## Units
- Positions and durations are in seconds. A recording's \`total_time\` is in whole seconds.
- Sizes are in bytes.
- Prices are in the currency's smallest unit, such as cents. Minutes are whole.
- Times are ISO 8601 in UTC. The fields of an upload grant in Unix seconds say so.

## Tokens
\`user/login\` returns an access token and a refresh token. Send the access token in the header
\`Authorization: Bearer …\`. When a call returns ${catalog.tokenExpired.code}, call \`user/refreshToken\` with the refresh token
in that header, and repeat the call.

## API keys
A script or another program sends an API key in the same header, instead of an access token. The owner creates keys in the
app, under *Me → Personal information → API keys*, or with \`user/createKey\`. The scope \`read\` permits the calls that read
recordings, transcripts, summaries and the names of voices, \`write\` those that add, change and delete them; a key can have both. A
call that needs only \`write\` also returns the recording that it changed. Calls about sign-in, keys, payments, the calendar's address and
binding recorders, changes of settings, and the export of voices need an access token: with a key, they return ${catalog.keyNotAllowed.code}. A key ends
when it is revoked, when it expires, and when the password changes. The keys of an account may make ${keyLimit.count} calls per minute
together.

## Retries
- ${catalog.tooManyRequests.code}: wait a minute. ${catalog.unavailable.code}, and a request without a response: repeat it, first after a second, then
  after twice as long each time. Other codes stay the same if the call is repeated.
- A repeated call never counts twice if it has an ID that the client has assigned, such as \`client_flag\`. Derive it from the file's
  content, for example, so that a script can run again.

## From a file to its transcript
1. \`upload/checkOssFile\` with a \`client_flag\` tells whether the server has the recording.
2. If not, \`upload/radioFile\` uploads the file, as \`multipart/form-data\`: with the fields \`radio\` (the file), \`client_flag\` and
   \`recorded_at\`. Large files on unstable networks can be uploaded resumably instead, with \`oss/config\` and \`upload/ossFile\`.
3. \`task/create\` with the recording's \`id\` and a \`language\` requests the transcription.
4. \`task/detail\` with the same \`id\` has the paragraphs once the \`status\` is 2. If it is 3, \`error\` has the reason.

## Lists
\`page\` starts at 1 and has up to \`limit\` rows in \`list\`. \`total\` is the number of rows on all pages.

## Codes
| Code | Name | Cause |
|---|---|---|
${codes.join('\n')}
`;
}
