import type { Config } from '../../config.ts';
import type { DefineCall } from '../../http/calls.ts';
import type { Hearing } from '../task/hearing.ts';
import { agreementVersion } from './agreement.ts';
import { virtualRecorderUrl } from './virtual-recorder.ts';

export function siteRoutes(call: DefineCall, config: Config, hearing: Hearing): void {
  call('site/config', async () => ({
    version: config.version,
    billing: config.BILLING,
    engines: {
      transcription: await hearing.languages(),
      analysis: { engine: config.LLM, kind: 'extractive' },
    },
    virtual_recorder_url: virtualRecorderUrl(config),
    agreement_version: agreementVersion,
  }));
}
