/** Lints the API reference that the server builds from the contract, and prints any problems. */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { createApiDocument } from '../apps/server/src/reference/document.ts';

const rules = {
  // API errors are returned with HTTP status 200.
  'operation-4xx-response': 'off',
};

const config = await createConfig({ extends: ['recommended'], rules });
const problems = await lintFromString({
  source: JSON.stringify(createApiDocument('0')),
  absoluteRef: '/openapi.json',
  config,
});
for (const { ruleId, message, location } of problems)
  console.error(`${location[0]?.pointer}: ${message} (${ruleId})`);
process.exitCode = problems.length === 0 ? 0 : 1;
