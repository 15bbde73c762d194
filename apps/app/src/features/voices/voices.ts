import type { Client } from '@linnet/contract/client';
import type { VoicesService } from '../../ports/voices.ts';

/** @param onChanged called after names or proposals have changed; should fetch them */
export function createVoices(client: Pick<Client, 'call'>, onChanged: () => void): VoicesService {
  return {
    list: () => client.call('voice/list', {}),
    async rename(name, to) {
      const result = await client.call('voice/rename', { name, to });
      if (!result.ok) return result;
      onChanged();
      return { ok: true, data: null };
    },
    async forget(name) {
      const result = await client.call('voice/forget', { name });
      if (!result.ok) return result;
      onChanged();
      return { ok: true, data: null };
    },
    async export() {
      const result = await client.call('voice/export', {});
      if (!result.ok) return result;
      const text = JSON.stringify({ voices: result.data.list }, null, 2);
      const type = 'application/json';
      return { ok: true, data: new File([text], 'voices.json', { type }) };
    },
  };
}
