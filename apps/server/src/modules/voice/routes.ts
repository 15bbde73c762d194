import type { DefineCall } from '../../http/calls.ts';
import type { VoiceService } from './service.ts';

export function voiceRoutes(call: DefineCall, voices: VoiceService): void {
  call('voice/list', (_body, { accountId }) => voices.list(accountId));
  call('voice/rename', (body, { accountId }) => voices.rename(accountId, body));
  call('voice/forget', (body, { accountId }) => voices.forget(accountId, body));
  call('voice/export', (_body, { accountId }) => voices.export(accountId));
}
