import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { createApiDocument } from './document.ts';

/** A client that uses the generated types, as an integrator would write it. */
const client = `
import type { components, operations, paths } from './generated.ts';

type Task = components['schemas']['Task'];
type RequestBody<Name extends keyof operations> = operations[Name] extends {
  requestBody: { content: { 'application/json': infer Body } };
} ? Body : never;

const login: RequestBody<'accountSignIn'> = { email: 'ada@example.com', password: 'correct horse' };
const file: RequestBody<'uploadRegister'> = { url: '/x', file_size: 1, client_flag: 'a', auto_transcribe: true };
const list: RequestBody<'taskList'> = { page: 2 };
const statuses: Record<Task['status'], string> = { 0: 'queued', 1: 'working', 2: 'done', 3: 'failed' };
const edit: components['schemas']['Operation'] = {
  op_id: '', base_rev: 0, at: '', type: 'recording.rename', recording: 'a', name: 'Interview',
};

type Detail = paths['/api/task/detail']['post']['responses'][200]['content']['application/json'];
function getText({ data }: Detail): string {
  return data?.paragraphs.map(({ content }) => content).join(' ') ?? '';
}

// @ts-expect-error: numbers are documented as numbers
const wrong: RequestBody<'taskList'> = { page: '2' };
// @ts-expect-error: there is no such status
const none: Task['status'] = 4;

export { edit, file, list, login, none, statuses, getText, wrong };
`;

/** Compiles files strictly. Returns the messages of all errors. */
function compile(files: readonly string[]): string[] {
  const program = ts.createProgram(files, {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: [],
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

describe('a client generated from the API reference', () => {
  it('compiles in strict mode, and its types have descriptive names', async () => {
    const document = createApiDocument('1.2.3');
    const generated = astToString(
      await openapiTS(JSON.stringify(document), { defaultNonNullable: false }),
    );
    const folder = await mkdtemp(path.join(tmpdir(), 'linnet-client-'));
    try {
      const files = [path.join(folder, 'generated.ts'), path.join(folder, 'client.ts')] as const;
      await writeFile(files[0], generated);
      await writeFile(files[1], client);
      expect(compile(files)).toEqual([]);
    } finally {
      await rm(folder, { recursive: true });
    }
    const names = Object.keys(document.components.schemas);
    expect(names.filter((name) => !/^([A-Z][a-z]+)+$/.test(name))).toEqual([]);
  });
});
