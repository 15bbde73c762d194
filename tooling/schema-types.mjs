/** Converts schemas of the API reference (JSON Schema 2020-12) to TypeScript. */

const comment = (text) => (text ? `/** ${text.replaceAll('*/', '*\\/')} */\n` : '');

/** Returns the declaration of a named schema. */
export function toDeclaration(name, schema) {
  const isPlain = schema.type === 'object' && schema.properties !== undefined;
  const doc = comment(schema.description);
  return isPlain
    ? `${doc}export interface ${name} ${objectType(schema)}`
    : `${doc}export type ${name} = ${toType(schema)};`;
}

/** Returns the type of a schema's values. */
export function toType(schema) {
  if (schema === true || schema === undefined) return 'unknown';
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined)
    return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return [...new Set(alternatives.map(toType))].join(' | ');
  if (schema.allOf !== undefined)
    return schema.allOf.map(toType).map(wrapInParentheses).join(' & ');
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => toType({ ...schema, type })).join(' | ');
  }
  switch (schema.type) {
    case 'object':
      return objectType(schema);
    case 'array':
      return schema.prefixItems === undefined
        ? `readonly ${wrapInParentheses(toType(schema.items))}[]`
        : `readonly [${schema.prefixItems.map(toType).join(', ')}]`;
    case 'string':
      return schema.format === 'binary' || schema.contentMediaType ? 'Blob' : 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
    case 'null':
      return schema.type;
    default:
      return 'unknown';
  }
}

const wrapInParentheses = (type) => (/[|&]/.test(type) ? `(${type})` : type);

function objectType({ properties = {}, required = [], additionalProperties }) {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const isOptional = !required.includes(name);
    const doc = comment(schema.description);
    return `${doc}readonly ${JSON.stringify(name)}${isOptional ? '?' : ''}: ${toType(schema)}${isOptional ? ' | undefined' : ''};`;
  });
  if (fields.length > 0) return `{\n${fields.join('\n')}\n}`;
  if (additionalProperties) return `Readonly<Record<string, ${toType(additionalProperties)}>>`;
  return 'Readonly<Record<string, never>>';
}
