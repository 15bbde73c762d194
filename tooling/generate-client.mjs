/**
 * `node tooling/generate-client.mjs`: generates the calls, types and codes of `packages/client` from the API reference.
 * With `--check`, fails if the generated files are outdated.
 */
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createApiDocument } from '../apps/server/src/reference/document.ts';
import { catalog } from '../packages/contract/src/codes.ts';
import { prefixes, routes } from '../packages/contract/src/routes.ts';
import { environment, root } from './project.mjs';
import { toDeclaration, toType } from './schema-types.mjs';

const folder = 'packages/client/src/generated';
const document = createApiDocument('0');
const banner = '/** Generated from the API reference by `node tooling/generate-client.mjs`. */\n';

/** Returns a call's operation in the API reference. */
function findOperation({ method, path }) {
  return document.paths[`${prefixes.recorder}${path}`][method.toLowerCase()];
}

const comment = (text) => `/** ${text.replaceAll('*/', '*\\/')} */\n`;

function generateTypes() {
  const declarations = Object.entries(document.components.schemas).map(([name, schema]) =>
    toDeclaration(name, schema),
  );
  const calls = Object.entries(routes).map(([name, route]) => {
    const { summary, description, requestBody, responses } = findOperation(route);
    const content = requestBody && Object.values(requestBody.content)[0].schema;
    const body = content ? toType(content) : 'undefined';
    const { data } = responses[200].content['application/json'].schema.properties;
    const optional = requestBody?.required ? '' : ' | undefined';
    return `${comment(`${summary}. ${description}`)}${JSON.stringify(name)}: { readonly body: ${body}${optional}; readonly data: ${toType(data).replace(/ \| null$/, '')} };`;
  });
  return `${banner}${declarations.join('\n\n')}

/** The body and the data of each call. */
export interface Calls {
${calls.join('\n')}
}
`;
}

function generateRoutes() {
  const entries = Object.entries(routes).map(
    ([name, { method, path, auth, form = false }]) =>
      `${JSON.stringify(name)}: ${JSON.stringify({ method, path: `${prefixes.recorder}${path}`, auth, form })},`,
  );
  return `${banner}export const routes = {\n${entries.join('\n')}\n} as const;\n`;
}

function generateCodes() {
  const entries = Object.entries(catalog).map(
    ([name, { code, cause }]) => `${comment(cause)}${name}: ${code},`,
  );
  return `${banner}export const codes = {\n${entries.join('\n')}\n} as const;\n`;
}

/** Formats a file with the project's formatter. */
function format(name, text) {
  const { status, stdout, stderr } = spawnSync(
    'biome',
    ['format', `--stdin-file-path=${folder}/${name}`],
    { cwd: root, env: environment(), input: text, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

const files = {
  'calls.ts': generateTypes(),
  'routes.ts': generateRoutes(),
  'codes.ts': generateCodes(),
};
for (const [name, text] of Object.entries(files)) {
  const path = join(root, folder, name);
  const formatted = format(name, text);
  if (!process.argv.includes('--check')) await writeFile(path, formatted);
  else if ((await readFile(path, 'utf8')) !== formatted) {
    console.error(`${folder}/${name} is outdated. Run node tooling/generate-client.mjs.`);
    process.exitCode = 1;
  }
}
