/** Bundles the test page and serves it, along with the sample session. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { SampleSession } from '@linnet/sync/testing';
import { build } from 'vite';

const contentTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript',
  wasm: 'application/wasm',
};

export type AdapterPage = { readonly url: string; close(): Promise<void> };

export async function serveAdapterPage(sample: SampleSession): Promise<AdapterPage> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    worker: { format: 'es' },
    build: {
      write: false,
      target: 'es2023',
      rollupOptions: {
        input: join(import.meta.dirname, 'main.ts'),
        output: { entryFileNames: 'main.js' },
      },
    },
  });
  const files = new Map<string, string | Uint8Array>([
    ['/', '<!doctype html><title>Adapters</title><script type=module src=/main.js></script>'],
    ['/favicon.ico', ''],
  ]);
  for (const part of 'output' in built ? built.output : []) {
    files.set(`/${part.fileName}`, part.type === 'chunk' ? part.code : part.source);
  }
  const { packets, master, wave, peaks, garbage, ...facts } = sample;
  for (const [name, bytes] of Object.entries({ packets, master, wave, peaks, garbage })) {
    files.set(`/sample/${name}`, bytes);
  }
  files.set('/sample/facts', JSON.stringify(facts));

  const web = createServer((request, response) => {
    const path = request.url ?? '/';
    const file = files.get(path);
    if (file === undefined) {
      response.writeHead(404).end();
      return;
    }
    const extension = path.slice(path.lastIndexOf('.') + 1);
    response.setHeader('Content-Type', contentTypes[extension] ?? 'text/html');
    response.end(file);
  });
  web.listen(0, '127.0.0.1');
  await once(web, 'listening');
  return {
    url: `http://127.0.0.1:${(web.address() as AddressInfo).port}/`,
    async close() {
      web.closeAllConnections();
      await new Promise((resolve) => web.close(resolve));
    },
  };
}
