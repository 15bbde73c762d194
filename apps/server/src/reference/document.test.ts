import { codes } from '@linnet/contract/codes';
import { prefixes, routes } from '@linnet/contract/routes';
import { describe, expect, it } from 'vitest';
import { createApiDocument } from './document.ts';

const document = createApiDocument('1.2.3');
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
const { schemas } = document.components;

/** Returns all schemas and other objects in the document. */
function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  const nestedObjects = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value)
    ? nestedObjects
    : [value as Record<string, unknown>, ...nestedObjects];
}

describe('the API reference', () => {
  it('contains every call once, under the prefix /api', () => {
    const addresses = Object.values(routes).map(({ path }) => `${prefixes.recorder}${path}`);
    expect(Object.keys(document.paths).sort()).toEqual(addresses.sort());
    expect(document.info.description).toContain(prefixes.user);
  });

  it('names and describes every call', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(Object.keys(routes).length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+([A-Z][a-z]+)+$/);
    const groups = new Set(document.tags.map(({ name }) => name));
    for (const { tags, summary, description } of operations) {
      expect(tags.every((tag) => groups.has(tag))).toBe(true);
      expect(summary).toMatch(/^[A-Z].*[^.]$/);
      expect(description).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('explains every code', () => {
    for (const code of Object.values(codes)) {
      expect(document.info.description).toContain(`\n| ${code} | `);
    }
  });

  it('requires a body only if the call fails without one', () => {
    const getRequired = (name: string) =>
      document.paths[`/api/${name}`]?.post?.requestBody?.required;
    expect(getRequired('user/login')).toBe(true);
    expect(getRequired('task/index')).toBe(true);
    expect(getRequired('user/info')).toBe(false);
    expect(getRequired('user/deactivation')).toBe(false);
    expect(document.paths['/api/site/config']?.get?.requestBody).toBeUndefined();
  });

  it('has named schemas, and every reference is to one of them', () => {
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining(['Recording', 'Task', 'Paragraph', 'UploadGrant', 'Operation']),
    );
    const references = objectsIn(document).flatMap(({ $ref }) =>
      $ref === undefined ? [] : [$ref],
    );
    expect(references).toContain('#/components/schemas/Recording');
    const defined = Object.keys(schemas).map((name) => `#/components/schemas/${name}`);
    expect(new Set(references)).toEqual(new Set(defined));
    expect(JSON.stringify(document)).not.toContain('$defs');
  });

  it('lists the values of an enumeration in one schema', () => {
    expect(schemas.TaskStatus).toMatchObject({ type: 'integer', enum: [0, 1, 2, 3] });
    const listed = objectsIn(document).flatMap(({ anyOf }) => (anyOf === undefined ? [] : anyOf));
    const constants = objectsIn(listed).filter((schema) => typeof schema.const === 'number');
    expect(constants.every(({ const: value }) => value === 1)).toBe(true);
  });

  it('shows one type for fields that also accept text or numbers', () => {
    const getFields = (name: string) => {
      const body = document.paths[`/api/${name}`]?.post?.requestBody?.content['application/json'];
      return body?.schema.properties as Record<string, object>;
    };
    const { file_size, sn, auto_transcribe } = getFields('upload/ossFile');
    expect(file_size).toMatchObject({
      type: 'integer',
      minimum: 0,
      description: expect.stringContaining('bytes'),
    });
    expect(sn).toMatchObject({ type: 'string', maxLength: 64, default: '' });
    expect(auto_transcribe).toMatchObject({
      type: 'boolean',
      description: expect.stringMatching(/^True/),
    });
    expect(getFields('task/tag').is_tag).toMatchObject({ type: 'integer', enum: [0, 1] });
    expect(getFields('task/index').page).toMatchObject({ type: 'integer', minimum: 1, default: 1 });
    expect(objectsIn(document).filter((schema) => 'tolerant' in schema)).toEqual([]);
  });

  it('describes the fields that a client cannot guess', () => {
    const described = JSON.stringify(document);
    for (const words of [
      'HMAC-SHA1',
      'Upload-Metadata',
      'unchanged',
      'whole seconds',
      'smallest unit',
      'not its `id`',
    ]) {
      expect(described).toContain(words);
    }
  });

  it('omits the safe-integer limits, and allows unknown properties', () => {
    for (const schema of objectsIn(document)) {
      expect(schema.additionalProperties).not.toBe(false);
      expect(schema.maximum).not.toBe(Number.MAX_SAFE_INTEGER);
    }
  });
});
