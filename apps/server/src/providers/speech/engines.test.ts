import { describe, expect, it } from 'vitest';
import { readConfig } from '../../config/index.ts';
import { selectSpeechEngines } from './index.ts';

const getEngineIds = (environment: Record<string, string>) =>
  selectSpeechEngines(readConfig(environment)).all.map(({ id }) => id);

describe('selectSpeechEngines', () => {
  it.each([
    [{}, ['sherpa', 'pocketsphinx']],
    [{ OPENAI_API_KEY: 'sk-1' }, ['openai', 'sherpa', 'pocketsphinx']],
    [{ ASR_API_KEY: 'mine' }, ['openai', 'sherpa', 'pocketsphinx']],
    [{ LLM_API_KEY: 'mine' }, ['sherpa', 'pocketsphinx']],
    [{ ASR: 'openai', OPENAI_API_KEY: 'sk-1' }, ['openai']],
    [{ ASR: 'sherpa', OPENAI_API_KEY: 'sk-1' }, ['sherpa']],
    [{ ASR: 'pocketsphinx', OPENAI_API_KEY: 'sk-1' }, ['pocketsphinx']],
  ])('selects engines for %j: %j, best first', (environment, ids) => {
    expect(getEngineIds(environment)).toEqual(ids);
  });

  it('supports every language and detection with a service', async () => {
    const engines = selectSpeechEngines(readConfig({ OPENAI_API_KEY: 'sk-1' }));
    for (const language of ['th', 'ar', 'zh-Hans', 'auto']) {
      expect((await engines.find(language))?.id).toBe('openai');
    }
    expect(await engines.find('tlh')).toBeNull();
  });
});
