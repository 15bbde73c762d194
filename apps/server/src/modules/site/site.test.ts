import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { codes } from '@linnet/contract/codes';
import { expect, it } from 'vitest';
import { startTestServer } from '../../../test/server.ts';

it('returns the configuration even if the state of the model downloads cannot be read', async () => {
  const server = await startTestServer({ MODELS: 'auto' });
  try {
    // Reading a folder as a file fails.
    await mkdir(path.join(server.config.modelsDir, '.downloads.json'), { recursive: true });
    const { code, data } = await server.call('site/config');
    expect(code).toBe(codes.ok);
    expect(data.engines).not.toHaveProperty('downloads');
  } finally {
    await server.close();
  }
});
