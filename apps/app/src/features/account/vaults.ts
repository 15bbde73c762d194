import type { CallBody } from '@linnet/contract';
import type { CallFailure, Client } from '@linnet/contract/client';
import type { Outcome } from '../../ports/store.ts';
import type { VaultsService } from '../../ports/vaults.ts';

export function createVaults(client: Pick<Client, 'call'>): VaultsService {
  /** Makes a call whose response isn't needed. */
  const send = async <
    Name extends 'vault/template' | 'vault/stop' | 'vault/resume' | 'vault/disconnect',
  >(
    name: Name,
    body: CallBody<Name>,
  ): Promise<Outcome<null, CallFailure>> => {
    const result = await client.call(name, body);
    return result.ok ? { ok: true, data: null } : result;
  };

  return {
    async list() {
      const result = await client.call('vault/index', {});
      return result.ok ? { ok: true, data: result.data.list } : result;
    },
    connect: (request) => client.call('vault/connect', request),
    async test(kind) {
      const result = await client.call('vault/test', { kind });
      return result.ok ? { ok: true, data: result.data.failure } : result;
    },
    setTemplate: (kind, template) => send('vault/template', { kind, template }),
    stop: (kind) => send('vault/stop', { kind }),
    resume: (kind) => send('vault/resume', { kind }),
    disconnect: () => send('vault/disconnect', {}),
  };
}
